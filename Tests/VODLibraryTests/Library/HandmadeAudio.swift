/// Short silent songs in formats that no encoder of Debian writes, and tags with several values. All are written here,
/// from the formats' descriptions.
enum HandmadeAudio {
    private static func little(_ number: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func big(_ number: Int, _ byteCount: Int) -> [UInt8] { little(number, byteCount).reversed() }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    // MARK: Tags

    /// The texts of all tags here: "Dúo" by Ana and Eva, Jazz and Pop.
    private static let texts: [(String, String)] = [("TIT2", "Dúo"), ("TPE1", "Ana\0Eva"), ("TCON", "8\0Pop")]

    /// An ID3v2.4 tag.
    ///
    /// - Parameter frames: Names, and contents with the byte of the encoding.
    static func id3Tag(_ frames: [(name: String, content: [UInt8])]? = nil) -> [UInt8] {
        let frames: [(name: String, content: [UInt8])] =
            frames ?? texts.map { (name: $0.0, content: [3] + Array($0.1.utf8)) }
        var content: [UInt8] = []
        for frame in frames {
            content += Array(frame.name.utf8)
            content += [0, 0, 0, UInt8(frame.content.count), 0, 0]
            content += frame.content
        }
        let size: [UInt8] = [0, 0, UInt8(content.count >> 7), UInt8(content.count & 0x7F)]
        return joined([Array("ID3".utf8), [4, 0, 0], size, content])
    }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] { parts.flatMap(\.self) }

    /// An APEv2 tag without a header.
    ///
    /// - Parameter items: Names, values, and flags: 0 for text, 2 for binary values.
    static func apeTag(_ items: [(key: String, value: [UInt8], flags: Int)]? = nil) -> [UInt8] {
        let items: [(key: String, value: [UInt8], flags: Int)] =
            items ?? [
                (key: "Title", value: Array("Dúo".utf8), flags: 0),
                (key: "Artist", value: Array("Ana\0Eva".utf8), flags: 0),
                (key: "Genre", value: Array("Jazz\0Pop".utf8), flags: 0),
            ]
        var content: [UInt8] = []
        for item in items {
            content += joined([
                little(item.value.count, 4), little(item.flags, 4), Array(item.key.utf8), [0], item.value,
            ])
        }
        return joined([
            content, Array("APETAGEX".utf8), little(2_000, 4), little(content.count + 32, 4), little(items.count, 4),
            zeros(12),
        ])
    }

    // MARK: Formats

    /// Monkey's Audio 3.99: one frame of half a second that says it is silent.
    static func monkeysAudio() -> [UInt8] {
        // A checksum with the bit that flags follow, and the flags of silence; words are little endian.
        let frame = joined([little(0x8000_0000, 4), little(3, 4), zeros(8)])
        let (descriptorByteCount, headerByteCount) = (52, 24)
        let descriptor = joined([
            Array("MAC ".utf8), little(3_990, 2), zeros(2), little(descriptorByteCount, 4), little(headerByteCount, 4),
            little(4, 4), zeros(4), little(frame.count, 4), zeros(8), zeros(16),
        ])
        // Normal compression, no header of a WAVE file; 22,050 blocks in the last frame, of 16 bits, mono.
        let header = joined([
            little(1_000, 2), little(0x20, 2), little(73_728, 4), little(22_050, 4), little(1, 4), little(16, 2),
            little(1, 2), little(44_100, 4),
        ])
        return joined([
            descriptor, header, little(descriptorByteCount + headerByteCount + 4, 4), frame, apeTag(),
        ])
    }

    /// Musepack, stream version 8: packets of one frame without bands.
    static func musepack() -> [UInt8] {
        let frameCount = 20
        func variable(_ number: Int) -> [UInt8] {
            guard number >= 0x80 else { return [UInt8(number)] }
            return variable(number >> 7).map { $0 | 0x80 } + [UInt8(number & 0x7F)]
        }
        func packet(_ key: String, _ content: [UInt8]) -> [UInt8] {
            joined([Array(key.utf8), [UInt8(content.count + 3)], content])
        }
        // 44.1 kHz, two bands at most, stereo, one frame in a packet. Of the checksum, libav expects only that it is
        // not zero.
        let header = joined([[0xFF, 0xFF, 0xFF, 0xFF], [8], variable(frameCount * 1_152), [0, 0x01, 0x10]])
        var frames: [UInt8] = []
        for _ in 0..<frameCount { frames += packet("AP", zeros(8)) }
        return joined([Array("MPCK".utf8), packet("SH", header), frames, packet("SE", []), apeTag()])
    }

    /// DSD at 2.8 MHz, mono, half a second, with an ID3v2 tag at the end.
    static func dsf() -> [UInt8] {
        let (rate, blockByteCount) = (2_822_400, 4_096)
        let blockCount = (rate / 16 + blockByteCount - 1) / blockByteCount
        // As many ones as zeros are silence.
        let samples = [UInt8](repeating: 0x69, count: blockCount * blockByteCount)
        let format = joined([
            Array("fmt ".utf8), little(52, 8), little(1, 4), little(0, 4), little(1, 4), little(1, 4), little(rate, 4),
            little(1, 4), little(rate / 2, 8), little(blockByteCount, 4), zeros(4),
        ])
        let data = joined([Array("data".utf8), little(samples.count + 12, 8), samples])
        let tagOffset = 28 + format.count + data.count
        let tag = id3Tag()
        return joined([
            Array("DSD ".utf8), little(28, 8), little(tagOffset + tag.count, 8), little(tagOffset, 8), format, data,
            tag,
        ])
    }

    /// AMR-NB at 4.75 kbit/s, one second (RFC 4867 §5).
    static func amr() -> [UInt8] {
        let frame = [0x04] + zeros(12)
        return joined([Array("#!AMR\n".utf8)] + [[UInt8]](repeating: frame, count: 50))
    }

    /// A FLAC file with other comments (RFC 9639 §8.6).
    static func flac(_ file: [UInt8], comments: [String]) -> [UInt8] {
        var result = Array(file.prefix(4))
        var offset = 4
        while offset + 4 <= file.count {
            let byteCount = file[(offset + 1)..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            var content = Array(file[(offset + 4)..<(offset + 4 + byteCount)])
            if file[offset] & 0x7F == 4 {
                content = zeros(4) + little(comments.count, 4)
                for comment in comments { content += joined([little(comment.utf8.count, 4), Array(comment.utf8)]) }
            }
            result += joined([[file[offset]], big(content.count, 3), content])
            let isLast = file[offset] & 0x80 != 0
            offset += 4 + byteCount
            if isLast { break }
        }
        return result + file[offset...]
    }
}
