import Testing

@testable import LibAV

/// The properties of a Matroska file's tracks that libav does not report.
struct MatroskaTrackTests {
    /// An element with a size of eight bytes.
    private func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        id + [0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) } + content
    }

    private func entry(_ type: UInt8, _ more: [UInt8] = []) -> [UInt8] {
        element([0xAE], element([0x83], [type]) + more)
    }

    private func file(_ entries: [UInt8], segmentSize: [UInt8] = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        -> [UInt8]
    {
        element([0x1A, 0x45, 0xDF, 0xA3], [1, 2, 3]) + [0x18, 0x53, 0x80, 0x67] + segmentSize
            + element([0xEC], [UInt8](repeating: 0, count: 50)) + element([0x16, 0x54, 0xAE, 0x6B], entries)
            + element([0x1F, 0x43, 0xB6, 0x75], [0])
    }

    private func read(_ bytes: [UInt8]) -> [MatroskaTrack] {
        MatroskaTrack.read { offset, count in Array(bytes.dropFirst(Int(clamping: offset)).prefix(count)) }
    }

    private func encoding(_ content: [UInt8]) -> [UInt8] { element([0x6D, 0x80], element([0x62, 0x40], content)) }

    @Test func findsLanguagesAndEncryption() {
        let language = element([0x22, 0xB5, 0x9D], Array("zh-Hant".utf8) + [0])
        let tracks = read(
            file(
                entry(1) + entry(2, language) + entry(0x20) + entry(0x11, encoding(element([0x50, 0x33], [0])))
                    + entry(2, encoding(element([0x50, 0x33], [1]))) + entry(2, encoding(element([0x50, 0x35], [])))))
        #expect(tracks.map(\.kind) == [.video, .audio, .subtitle, .audio, .audio])
        #expect(tracks.map(\.language) == [nil, "zh-Hant", nil, nil, nil])
        #expect(tracks.map(\.isEncrypted) == [false, false, false, true, true])
    }

    @Test func passesOverWhatIsDamagedOrSomethingElse() {
        let whole = file(entry(1) + entry(2))
        #expect(read(whole).count == 2)
        for count in whole.indices { #expect(read(Array(whole.prefix(count))).count <= 2) }
        for index in whole.indices {
            var changed = whole
            changed[index] = 0xFF
            #expect(read(changed).count <= 4)
        }
        #expect(read(Array(repeating: 0, count: 100)).isEmpty)
        #expect(read(element([0x18, 0x53, 0x80, 0x67], entry(1))).isEmpty)
        // No tracks before the media, and a language that is longer than any.
        #expect(read(element([0x1A, 0x45, 0xDF, 0xA3], []) + element([0x1F, 0x43, 0xB6, 0x75], entry(1))).isEmpty)
        let long = element([0x22, 0xB5, 0x9D], [UInt8](repeating: 0x61, count: 36))
        #expect(read(file(entry(2, long))).map(\.language) == [nil])
    }
}
