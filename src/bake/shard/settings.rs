//! The environment variables that configure object storage. They are checked first because the client panics on invalid addresses
//! and headers, and its own errors do not name the variable.

use object_store::aws::AmazonS3ConfigKey as Aws;
use object_store::azure::AzureConfigKey as Azure;
use object_store::gcp::GoogleConfigKey as Google;
use object_store::{ObjectStoreScheme, parse_url_opts};
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Result};
use url::Url;

/// A variable and its value.
pub(super) type Variable = (String, String);

/// The kind of value that a variable must hold.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    /// The address of a server with HTTPS, or with HTTP if another variable allows that.
    Server,
    /// The address of a server with HTTPS.
    Secure,
    /// The address of a server or proxy, with HTTP or HTTPS.
    Plain,
    /// The name or address of a machine, `HOST[:PORT]`.
    Host,
    /// A part of a machine's name.
    Label,
    /// The part of an address after the machine.
    Path,
    /// One line of printable ASCII, as headers can hold it.
    Line,
    /// A file name, or text of several lines.
    Any,
}

/// The expected values of variables that become addresses or may have several lines, by the client's names for them. All other
/// variables hold one line.
const EXPECTED: &[(&str, Holds)] = &[
    ("aws_endpoint", Holds::Server),
    ("aws_endpoint_url_s3", Holds::Server),
    ("aws_endpoint_url_sts", Holds::Secure),
    ("aws_metadata_endpoint", Holds::Plain),
    ("aws_container_credentials_full_uri", Holds::Plain),
    ("aws_container_credentials_relative_uri", Holds::Path),
    ("aws_region", Holds::Label),
    ("aws_default_region", Holds::Label),
    ("aws_bucket", Holds::Label),
    ("aws_container_authorization_token_file", Holds::Any),
    ("aws_web_identity_token_file", Holds::Any),
    ("azure_storage_endpoint", Holds::Server),
    ("azure_storage_authority_host", Holds::Server),
    ("azure_fabric_token_service_url", Holds::Server),
    ("azure_msi_endpoint", Holds::Plain),
    ("azurite_blob_storage_url", Holds::Plain),
    ("azure_fabric_workload_host", Holds::Host),
    ("azure_storage_account_name", Holds::Label),
    ("azure_storage_tenant_id", Holds::Label),
    ("azure_container_name", Holds::Label),
    ("azure_federated_token_file", Holds::Any),
    ("google_base_url", Holds::Server),
    ("google_bucket", Holds::Label),
    ("google_application_credentials", Holds::Any),
    ("google_service_account", Holds::Any),
    ("google_service_account_key", Holds::Any),
    ("gce_metadata_host", Holds::Host),
    ("gce_metadata_root", Holds::Host),
    ("gce_metadata_ip", Holds::Host),
    ("proxy_url", Holds::Plain),
    ("proxy_ca_certificate", Holds::Any),
];

/// Words in the names of variables whose values are secret and never shown.
const SECRET: &[&str] = &["secret", "token", "key", "sas", "credential"];
/// Endings of the names of variables that name files and servers, which are not secret.
const NAMES: &[&str] = &["_file", "_application_credentials", "_url", "_uri", "_endpoint", "_credential_type", "_key_enabled"];

/// A kind of object storage.
#[derive(Clone, Copy, PartialEq)]
enum Cloud {
    Aws,
    Azure,
    Google,
}

impl Cloud {
    /// The kind of storage that a URL names; `None` for URLs that the client refuses.
    fn of(url: &Url) -> Option<Self> {
        match ObjectStoreScheme::parse(url).ok()?.0 {
            ObjectStoreScheme::AmazonS3 => Some(Cloud::Aws),
            ObjectStoreScheme::MicrosoftAzure => Some(Cloud::Azure),
            ObjectStoreScheme::GoogleCloudStorage => Some(Cloud::Google),
            _ => None,
        }
    }

    /// The client's name for a variable; `None` if the client does not read it.
    fn known(self, name: &str) -> Option<String> {
        let name = name.to_lowercase();
        // The client would also read `bucket` or `endpoint`, which other programs may use.
        match self {
            Cloud::Aws if name.starts_with("aws_") => name.parse().ok().map(|key: Aws| key.as_ref().to_owned()),
            // The client reads this variable directly.
            Cloud::Azure if name == "azurite_blob_storage_url" => Some(name),
            Cloud::Azure if name.starts_with("azure_") => name.parse().ok().map(|key: Azure| key.as_ref().to_owned()),
            Cloud::Google if name.starts_with("gce_metadata_") => Some(name),
            Cloud::Google if name.starts_with("google_") => name.parse().ok().map(|key: Google| key.as_ref().to_owned()),
            _ => None,
        }
    }

    /// The variable that allows plain HTTP.
    fn allows(self) -> &'static str {
        match self {
            Cloud::Aws => "AWS_ALLOW_HTTP",
            Cloud::Azure => "AZURE_ALLOW_HTTP",
            Cloud::Google => "GOOGLE_ALLOW_HTTP",
        }
    }
}

fn refuse(message: String) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}

/// The variables that the storage of a URL reads.
///
/// # Errors
/// Returns an error if the bucket's name cannot be part of an address. The same holds for a variable that is not UTF-8, is empty,
/// or has a value that the client cannot use. The message names the variable, its value unless that is secret, and the allowed
/// values.
pub(super) fn checked(url: &Url, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Vec<Variable>> {
    let Some(cloud) = Cloud::of(url) else { return Ok(Vec::new()) };
    for part in [url.username(), url.host_str().unwrap_or_default()] {
        if !part.is_empty() && !is_label(part) {
            return Err(refuse(format!("bucket or container '{part}' is not allowed; allowed: {}", Holds::Label.allowed(cloud))));
        }
    }
    let mut found = Vec::new();
    for (name, value) in variables {
        let Some((name, key)) = name.into_string().ok().and_then(|name| cloud.known(&name).map(|key| (name, key))) else { continue };
        let value = value.into_string().map_err(|_| refuse(format!("{name} is not UTF-8; allowed: text in UTF-8")))?;
        found.push((name, key, value));
    }
    let plain = found.iter().any(|(_, key, value)| ["allow_http", "azure_storage_use_emulator"].contains(&key.as_str()) && is_true(value));
    for (name, key, value) in &found {
        let holds = EXPECTED.iter().find(|(of, _)| of == key).map_or(Holds::Line, |(_, holds)| *holds);
        if !holds.is(value, plain) {
            return Err(refuse(format!("{} is not allowed; allowed: {}", shown(name, value), holds.allowed(cloud))));
        }
        if key == "aws_container_authorization_token_file" {
            let token = std::fs::read_to_string(value).map_err(|error| refuse(format!("{}: {error}", shown(name, value))))?;
            if !Holds::Line.is(&token, plain) {
                return Err(refuse(format!("{} is not allowed; allowed: a file of one line without its end", shown(name, value))));
            }
        }
    }
    Ok(found.into_iter().map(|(name, _, value)| (name, value)).collect())
}

/// The reason why the client refuses variables that were [`checked`], with the name of the variable, which the client does not
/// report. `None` if no single one is the cause.
pub(super) fn culprit(url: &Url, variables: &[Variable], error: &object_store::Error) -> Option<Error> {
    let said = error.to_string();
    let without = |name: &str| {
        let others = variables.iter().filter(|(other, _)| other != name).cloned();
        parse_url_opts(url, others).map_or_else(|error| error.to_string(), |_| String::new())
    };
    let tried: Vec<(&Variable, String)> = variables.iter().map(|one| (one, without(&one.0))).collect();
    let by = |is: &dyn Fn(&str) -> bool| tried.iter().find(|(_, other)| is(other)).map(|(one, _)| *one);
    let (name, value) = by(&str::is_empty).or_else(|| by(&|other| other != said))?;
    let why = if is_secret(name) || value.contains('@') { "the storage's client cannot use it".to_owned() } else { said };
    Some(refuse(format!("{} is not allowed: {}", shown(name, value), why.escape_debug())))
}

fn is_true(value: &str) -> bool {
    ["1", "true", "on", "yes", "y"].contains(&value.to_ascii_lowercase().as_str())
}

fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    !NAMES.iter().any(|end| name.ends_with(end)) && SECRET.iter().any(|word| name.contains(word))
}

/// A variable and its value, as far as a message may show it.
fn shown(name: &str, value: &str) -> String {
    match value {
        "" => format!("{name}, which is empty,"),
        // A password may stand before the host.
        _ if is_secret(name) || value.contains('@') => format!("{name} (its value is not shown)"),
        value => format!("{name} = '{}'", value.escape_debug()),
    }
}

fn is_label(text: &str) -> bool {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._$".contains(c));
    // Host names have further rules, as for encoded Unicode.
    plain && Url::parse(&format!("https://{text}.example.com/")).is_ok()
}

fn is_path(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "-._~/:=&?%+,".contains(c))
}

/// `HOST[:PORT]`.
fn is_host(text: &str) -> bool {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-._:[]".contains(c)) && !text.ends_with(':');
    plain && Url::parse(&format!("http://{text}/")).is_ok_and(|url| url.has_host() && url.port() != Some(0))
}

impl Holds {
    fn is(self, value: &str, plain: bool) -> bool {
        let server = |allowed: bool| {
            let rest = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://").filter(|_| allowed));
            rest.is_some_and(|rest| {
                let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                is_host(host) && is_path(path) && !path.contains('?')
            })
        };
        match self {
            Holds::Server => server(plain),
            Holds::Secure => server(false),
            Holds::Plain => server(true),
            Holds::Host => is_host(value),
            Holds::Label => is_label(value),
            Holds::Path => value.starts_with('/') && is_path(value),
            Holds::Line => !value.is_empty() && value.trim() == value && value.chars().all(|c| c == ' ' || c.is_ascii_graphic()),
            Holds::Any => !value.is_empty(),
        }
    }

    fn allowed(self, cloud: Cloud) -> String {
        match self {
            Holds::Server => format!("https://HOST[:PORT][/PATH], and http:// with {}=true; or unset it", cloud.allows()),
            Holds::Secure => "https://HOST[:PORT][/PATH], or unset it".to_owned(),
            Holds::Plain => "https://HOST[:PORT][/PATH], http://HOST[:PORT][/PATH], or unset it".to_owned(),
            Holds::Host => "HOST[:PORT], or unset it".to_owned(),
            Holds::Label => "ASCII letters, digits, '-', '.', '_' and '$', as names of machines have them".to_owned(),
            Holds::Path => "a path that begins with '/', or unset it".to_owned(),
            Holds::Line => "one line of printable ASCII, or unset it".to_owned(),
            Holds::Any => "text that is not empty, or unset it".to_owned(),
        }
    }
}
