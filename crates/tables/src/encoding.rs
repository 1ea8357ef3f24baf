//! Encodings of pages: <https://parquet.apache.org/docs/file-format/data-pages/encodings>.

/// Codes, and bytes of numbers, that are put together.
const TOGETHER: usize = 8;
/// Differences that are stored against the same least one, in four parts of as many bits each.
const BLOCK: usize = 128;
const PARTS: usize = 4;

/// Numbers of `N` bytes one after the other.
pub(crate) fn plain<const N: usize>(
    values: impl ExactSizeIterator<Item = [u8; N]>,
    page: &mut Vec<u8>,
) {
    let from = page.len();
    page.resize(from + N * values.len(), 0);
    let (places, _) = page[from..].as_chunks_mut();
    places.iter_mut().zip(values).for_each(|(place, value)| *place = value);
}

/// The first bytes of all numbers, then the second ones, and so on.
pub(crate) fn split(values: &[f64], page: &mut Vec<u8>) {
    let from = page.len();
    page.resize(from + size_of_val(values), 0);
    let mut streams = page[from..].chunks_exact_mut(values.len().max(1));
    let mut streams: [&mut [u8]; size_of::<f64>()] =
        std::array::from_fn(|_| streams.next().unwrap_or_default());
    let (eights, rest) = values.as_chunks::<TOGETHER>();
    for (at, eight) in eights.iter().enumerate() {
        let turned = turned(eight.map(f64::to_bits));
        for (bytes, stream) in turned.into_iter().zip(streams.iter_mut()) {
            stream.as_chunks_mut().0[at] = bytes.to_le_bytes();
        }
    }
    let done = values.len() - rest.len();
    for (at, stream) in streams.into_iter().enumerate() {
        let bytes = rest.iter().map(|value| value.to_le_bytes()[at]);
        stream[done..].iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    }
}

/// The first bytes of eight numbers as one, then the second ones, and so on: a square of bytes is turned
/// over its diagonal by swapping its quarters, then theirs, then those of these.
fn turned(mut rows: [u64; TOGETHER]) -> [u64; TOGETHER] {
    for (apart, kept) in
        [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF_u64)]
    {
        let bits = 8 * apart;
        for one in (0..TOGETHER).filter(|row| row & apart == 0) {
            let swapped = (rows[one] >> bits ^ rows[one + apart]) & kept;
            rows[one] ^= swapped << bits;
            rows[one + apart] ^= swapped;
        }
    }
    rows
}

/// Whole numbers by how much each is above the one before (`DELTA_BINARY_PACKED`).
pub(crate) fn differences(values: &[u64], page: &mut Vec<u8>) {
    let first = values.first().copied().unwrap_or_default();
    [BLOCK, PARTS, values.len()].into_iter().for_each(|known| number(known as u64, page));
    number(zigzag(first.cast_signed()), page);
    let steps: Vec<i64> =
        values.windows(2).map(|two| two[1].wrapping_sub(two[0]).cast_signed()).collect();
    for block in steps.chunks(BLOCK) {
        let least = block.iter().copied().min().unwrap_or_default();
        number(zigzag(least), page);
        let widths = page.len();
        page.extend([0; PARTS]);
        for (part, steps) in block.chunks(BLOCK / PARTS).enumerate() {
            let above = |step: &i64| step.wrapping_sub(least).cast_unsigned();
            let bits = steps.iter().map(|step| u64::BITS - above(step).leading_zeros()).max();
            let bits = bits.unwrap_or_default();
            page[widths + part] = bits.to_le_bytes()[0];
            let end = page.len() + BLOCK / PARTS * bits as usize / 8;
            let (mut together, mut filled) = (0_u128, 0);
            for step in steps {
                together |= u128::from(above(step)) << filled;
                filled += bits;
                while filled >= u8::BITS {
                    page.push(together.to_le_bytes()[0]);
                    together >>= u8::BITS;
                    filled -= u8::BITS;
                }
            }
            page.push(together.to_le_bytes()[0]);
            page.resize(end, 0);
        }
    }
}

/// Small numbers of either sign as small ones of none.
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}

/// The bits of a code below `count`.
pub(crate) fn bits_of(count: usize) -> u32 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()).clamp(1, u8::BITS)
}

/// Codes of this many bits: runs of the same one, and eights of others.
pub(crate) fn codes(codes: &[u8], bits: u32, page: &mut Vec<u8>) {
    let (mut from, mut at) = (0, 0);
    while at < codes.len() {
        let same = codes[at..].iter().take_while(|code| **code == codes[at]).count();
        if same < TOGETHER {
            at += TOGETHER;
            continue;
        }
        eights(&codes[from..at], bits, page);
        number((same as u64) << 1, page);
        page.push(codes[at]);
        at += same;
        from = at;
    }
    eights(&codes[from..], bits, page);
}

/// Codes one after the other, the lowest bits first; what lacks at the end to eight is 0.
fn eights(codes: &[u8], bits: u32, page: &mut Vec<u8>) {
    if codes.is_empty() {
        return;
    }
    number((codes.len().div_ceil(TOGETHER) as u64) << 1 | 1, page);
    for eight in codes.chunks(TOGETHER) {
        let together = eight.iter().rev().fold(0_u64, |sum, code| sum << bits | u64::from(*code));
        // Eight of this many bits are as many bytes.
        page.extend(together.to_le_bytes().iter().take(bits as usize));
    }
}

/// A number by seven bits, the lowest first; the eighth says that there are more.
fn number(mut value: u64, page: &mut Vec<u8>) {
    while value > 0x7F {
        page.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    page.push(value.to_le_bytes()[0]);
}
