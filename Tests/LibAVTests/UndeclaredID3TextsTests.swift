import Testing

@testable import LibAV

/// ID3v2 texts that are declared as Latin-1 and may be in any encoding.
struct UndeclaredID3TextsTests {
    private func read(_ bytes: [UInt8]) -> [String: [UInt8]] {
        UndeclaredID3Texts.read { offset, count in
            offset >= 0 && count >= 0 && offset + count <= bytes.count ? Array(bytes[offset..<offset + count]) : nil
        }
    }

    private func frame(_ id: String, _ content: [UInt8], version: UInt8) -> [UInt8] {
        let bitsPerByte = version == 4 ? 7 : 8
        let mask = (1 << bitsPerByte) - 1
        let (high, low) = (UInt8(content.count >> bitsPerByte), UInt8(content.count & mask))
        let head: [UInt8] = version == 2 ? [0, high, low] : [0, 0, high, low, 0, 0]
        return Array(id.utf8) + head + content
    }

    private func tag(_ frames: [UInt8], version: UInt8, flags: UInt8 = 0) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7F)] + frames
    }

    @Test(arguments: [(UInt8(2), "TT2"), (3, "TIT2"), (4, "TIT2")])
    func findsTextsWithoutADeclaredEncoding(_ version: UInt8, _ id: String) {
        let title: [UInt8] = [0xCF, 0xE5, 0xF1, 0xED, 0xFF]
        let artist = id.count == 3 ? "TP1" : "TPE1"
        let frames =
            frame(id, [0] + title + [0], version: version)
            + frame(artist, [version == 4 ? 3 : 1] + Array("Ñ".utf8), version: version)
        #expect(read(tag(frames, version: version)) == ["\u{CF}\u{E5}\u{F1}\u{ED}\u{FF}": title])
    }

    @Test func asciiNeedsNoCare() {
        #expect(read(tag(frame("TIT2", [0] + Array("Song".utf8), version: 3), version: 3)).isEmpty)
    }

    @Test func whateverIsThereNeverTraps() {
        var generator = SystemRandomNumberGenerator()
        let whole = tag(frame("TIT2", [0, 0xF3, 0xF3], version: 3), version: 3)
        for length in 0...whole.count { _ = read(Array(whole.prefix(length))) }
        for _ in 0..<2_000 {
            var damaged = whole + [UInt8](repeating: 0xFF, count: 40)
            for _ in 0..<4 {
                damaged[Int.random(in: 3..<damaged.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            _ = read(damaged)
        }
    }
}
