const { fround, imul } = Math;
// The numbers of the result of the latest call.
const results = /* @__PURE__ */ new Float64Array(COUNT);
const one_float = /* @__PURE__ */ new Float32Array(1);
const viewed = (kind, words) => new kind(words.buffer);
const one_word = /* @__PURE__ */ viewed(Uint32Array, one_float);

// The bits of an f32, and the f32 of bits.
function bits_of(x) {
    one_float[0] = x;
    return one_word[0];
}
function of_bits(bits) {
    one_word[0] = bits;
    return one_float[0];
}

// Integers by rounding towards zero. As in WGSL, what is out of range becomes the last f32 in range.
function to_signed(x) {
    return x > -2147483648 ? (x < 2147483648 ? x | 0 : 2147483520) : -2147483648;
}
function to_unsigned(x) {
    return x > 0 ? (x < 4294967296 ? x >>> 0 : 4294967040) : 0;
}
