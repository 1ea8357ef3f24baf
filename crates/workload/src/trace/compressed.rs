//! Decompression of traces: gzip, Zstandard and xz, recognized by their first bytes.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const XZ: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];
/// The most memory that a stream of xz may ask for; what `xz -9` packs takes 65 MiB.
const XZ_KIB: u32 = 256 << 10;
/// Large enough to keep the number of system calls small, small enough to stay in a CPU's cache.
const CHUNK: usize = 128 << 10;

/// `input` as it is, or unpacked if its first bytes say that it is compressed, and with what.
///
/// # Errors
/// The first bytes cannot be read.
pub(super) fn decompress(
    mut input: impl Read + Send + 'static,
) -> io::Result<(Box<dyn Read + Send>, Option<&'static str>)> {
    let mut first = Vec::with_capacity(XZ.len());
    input.by_ref().take(XZ.len() as u64).read_to_end(&mut first)?;
    let gzip = first.starts_with(&GZIP);
    let zstandard = first.starts_with(&ZSTANDARD);
    let xz = first == XZ;
    let whole = Cursor::new(first).chain(input);
    Ok(if gzip {
        let input = BufReader::with_capacity(CHUNK, whole);
        (Box::new(MultiGzDecoder::new(input)), Some("gzip"))
    } else if zstandard {
        (Box::new(Zstandard::new(whole)), Some("Zstandard"))
    } else if xz {
        let input = BufReader::with_capacity(CHUNK, whole);
        // As `xz` itself does, several streams in a row are read as one.
        (Box::new(XzReader::new_mem_limit(input, true, XZ_KIB)), Some("xz"))
    } else {
        (Box::new(whole), None)
    })
}

/// Frames of Zstandard one after the other, as `zstd` and `cat` produce them.
struct Zstandard<R> {
    input: BufReader<Chain<Cursor<Vec<u8>>, R>>,
    decoder: FrameDecoder,
    within_frame: bool,
}

impl<R: Read> Zstandard<R> {
    fn new(input: Chain<Cursor<Vec<u8>>, R>) -> Self {
        let input = BufReader::with_capacity(CHUNK, input);
        Self { input, decoder: FrameDecoder::new(), within_frame: false }
    }

    /// Starts the next frame that holds data; false at the end of the input.
    fn start_frame(&mut self) -> io::Result<bool> {
        loop {
            if self.input.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.input) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    io::copy(&mut self.input.by_ref().take(length), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }

    fn finish_frame(&mut self) -> io::Result<()> {
        self.within_frame = false;
        let stated = self.decoder.get_checksum_from_data();
        if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("the checksum of a Zstandard frame does not agree"));
        }
        Ok(())
    }
}

impl<R: Read> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.within_frame {
                self.within_frame = self.start_frame()?;
                if !self.within_frame {
                    return Ok(0);
                }
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            if self.decoder.is_finished() {
                self.finish_frame()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.input, one).map_err(io::Error::other)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use lzma_rust2::{CheckType, XzOptions, XzWriter};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    fn unpacked(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut whole = Vec::new();
        decompress(Cursor::new(bytes))?.0.read_to_end(&mut whole)?;
        Ok(whole)
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn xz(text: &[u8]) -> Vec<u8> {
        let mut options = XzOptions::with_preset(1);
        options.set_check_sum_type(CheckType::Crc64);
        let mut writer = XzWriter::new(Vec::new(), options).unwrap();
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn every_wrapping_gives_the_same_bytes() {
        let text = b"one two three".repeat(1_000);
        let zstandard = compress_to_vec(&text[..], CompressionLevel::Fastest);
        assert_eq!(unpacked(text.clone()).unwrap(), text);
        assert_eq!(unpacked(gzip(&text)).unwrap(), text);
        assert_eq!(unpacked(zstandard.clone()).unwrap(), text);
        assert_eq!(unpacked(xz(&text)).unwrap(), text);
        assert_eq!(unpacked([xz(&text), xz(&text)].concat()).unwrap(), text.repeat(2));
        let mut skippable = zstandard.clone();
        skippable.extend([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]);
        skippable.extend(&zstandard);
        assert_eq!(unpacked(skippable).unwrap(), text.repeat(2));
    }

    #[test]
    fn broken_streams_are_errors() {
        let text = b"one two three".repeat(1_000);
        let zstandard = compress_to_vec(&text[..], CompressionLevel::Fastest);
        for whole in [gzip(&text), zstandard, xz(&text)] {
            assert!(unpacked(whole[..whole.len() - 6].to_vec()).is_err());
        }
        let mut other = xz(&text);
        let middle = other.len() / 2;
        other[middle] ^= 1;
        assert!(unpacked(other).is_err(), "its checksums do not agree");
        assert_eq!(unpacked(vec![0x1f]).unwrap(), [0x1f]);
    }
}
