//! Text escapes and formatting for the page.

/// Escapes characters that are special in HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Four significant digits without trailing zeros; a dash for a value that is not finite.
pub fn number(x: f64) -> String {
    if !x.is_finite() {
        return "–".to_owned();
    }
    if x == 0.0 {
        return "0".to_owned();
    }
    let magnitude = x.abs().log10().floor();
    let plain = if (-4.0..6.0).contains(&magnitude) {
        let decimals = (3.0 - magnitude).max(0.0) as usize;
        let digits = format!("{x:.decimals$}");
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.').to_owned() } else { digits }
    } else {
        format!("{x:.2e}")
    };
    // A minus, not a hyphen.
    plain.replace('-', "−")
}

/// A share as a percentage, with a non-breaking space.
pub fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.*}\u{a0}%", usize::from(share < 0.1), share * 100.0) } else { "–".to_owned() }
}

/// Base64 (RFC 4648).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, i| bits << 8 | u32::from(group.get(i).copied().unwrap_or(0)));
        for digit in 0..4 {
            let index = (bits >> (18 - 6 * digit)) & 63;
            out.push(if digit <= group.len() { char::from(DIGITS[index as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_numbers_are_short() {
        assert_eq!(escape("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
        let all = [0.0, 1.0, -0.5, 3.0 / 7.0, 1234.56, 123_456.7, -2.5e-7, 6.02e23, f64::NAN, f64::INFINITY].map(number);
        assert_eq!(all, ["0", "1", "−0.5", "0.4286", "1235", "123457", "−2.50e−7", "6.02e23", "–", "–"]);
        assert_eq!([0.123, 0.0456, f64::NAN].map(percent), ["12\u{a0}%", "4.6\u{a0}%", "–"]);
    }

    #[test]
    fn base64_as_in_the_standard() {
        let all = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|s| base64(s.as_bytes()));
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
