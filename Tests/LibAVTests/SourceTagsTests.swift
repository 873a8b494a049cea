import MediaCore
import TestSupport
import Testing

@testable import LibAV

/// Texts of tags with several values, and in encodings that libav does not read.
struct SourceTagsTests {
    private func read(_ file: [UInt8]) -> [String: String] { SourceTags.read(TagBytes(file), legacy: .western) }

    // MARK: ID3v2

    private static func size(_ count: Int, bitsPerByte: Int, byteCount: Int = 4) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(count >> ($0 * bitsPerByte) & ((1 << bitsPerByte) - 1)) }
    }

    private static func frame(_ name: String, _ content: [UInt8], version: UInt8, flags: UInt8 = 0) -> [UInt8] {
        switch version {
        case 2: Array(name.utf8) + size(content.count, bitsPerByte: 8, byteCount: 3) + content
        default: Array(name.utf8) + size(content.count, bitsPerByte: version == 4 ? 7 : 8) + [0, flags] + content
        }
    }

    private static func tag(_ frames: [UInt8]..., version: UInt8, flags: UInt8 = 0) -> [UInt8] {
        let content = frames.flatMap(\.self)
        return Array("ID3".utf8) + [version, 0, flags] + size(content.count, bitsPerByte: 7) + content
    }

    private static func utf8(_ text: String) -> [UInt8] { [3] + Array(text.utf8) }

    private static func wide(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    @Test func allValuesOfAListCountAndTheFirstOfATitle() {
        let tags = read(
            Self.tag(
                Self.frame("TIT2", Self.utf8("Dúo\0Other"), version: 4),
                Self.frame("TPE1", Self.utf8("Ana\0Eva\0"), version: 4),
                Self.frame("TPE2", Self.utf8("AC/DC/ABBA"), version: 4),
                Self.frame("TCON", Self.utf8("8\0Tango (new)\0RX"), version: 4), version: 4))
        #expect(
            tags == [
                "title": "Dúo", "artist": "Ana;Eva", "album_artist": "AC/DC/ABBA", "genre": "Jazz;Tango (new);Remix",
            ])
    }

    @Test(arguments: [
        ("Ana/Eva", "Ana;Eva"), ("Ana / Eva", "Ana;Eva"), ("Danger Mouse/Daniele Luppi", "Danger Mouse;Daniele Luppi"),
        ("AC/DC", "AC/DC"), ("M/A/R/R/S", "M/A/R/R/S"), ("K/DA", "K/DA"), ("U2/Green Day", "U2/Green Day"),
        ("Ana", "Ana"), ("/", "/"),
    ])
    func aSlashSeparatesPerformersBeforeTheFourthVersion(_ text: String, _ expected: String) {
        let tags = read(
            Self.tag(
                Self.frame("TP1", [0] + Array(text.utf8), version: 2),
                Self.frame("TT2", [0] + Array("one/two".utf8), version: 2), version: 2))
        #expect(tags == ["title": "one/two", "artist": expected])
    }

    @Test(arguments: [
        ("(51)(39)", ["Techno-Industrial", "Noise"]), ("(4)Eurodisco", ["Disco", "Eurodisco"]), ("17", ["Rock"]),
        ("((new wave)", ["(new wave)"]), ("(RX)(CR)", ["Remix", "Cover"]), ("Rock & Roll", ["Rock & Roll"]),
        ("(250)", []), ("(Live)", ["(Live)"]), ("80s", ["80s"]), ("", []), ("()", ["()"]), ("(51", ["(51"]),
    ])
    func genresMayBeNumbers(_ text: String, _ names: [String]) {
        #expect(ID3Genre.names(in: text) == names)
    }

    /// The byte order that the standard demands to be marked, guessed as readers of files without it do.
    @Test(arguments: [true, false], [UInt8(3), 4])
    func wideTextWithoutAByteOrderMarkIsRead(isBigEndian: Bool, version: UInt8) {
        let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
        let zero: [UInt8] = [0, 0]
        func text(_ text: String) -> [UInt8] { Self.wide(text, isBigEndian: isBigEndian) }
        let tags = read(
            Self.tag(
                Self.frame("TIT2", [1] + text("Sin BOM") + zero, version: version),
                Self.frame("TPE1", [1] + mark + text("Ана") + zero + mark + text("Eva"), version: version),
                // Nothing but the other texts tells the order.
                Self.frame("TALB", [1] + text("Первый"), version: version),
                Self.frame("COMM", [1] + Array("spa".utf8) + mark + zero + mark + text("nota"), version: version),
                version: version))
        #expect(tags == ["title": "Sin BOM", "artist": "Ана;Eva", "album": "Первый", "comment": "nota"])
    }

    @Test(arguments: [UInt8(2), 3, 4]) func whatIsCalledLatin1MayBeAnything(_ version: UInt8) {
        let isOld = version == 2
        let title = Self.frame(isOld ? "TT2" : "TIT2", [0, 0x93, 0xF3, 0x94], version: version)
        let album = Self.frame(isOld ? "TAL" : "TALB", [0] + Array("Canción".utf8), version: version)
        let comment = Self.frame(isOld ? "COM" : "COMM", [0] + Array("eng\0".utf8) + [0xF1], version: version)
        #expect(
            read(Self.tag(title, album, comment, version: version))
                == ["title": "“ó”", "album": "Canción", "comment": "ñ"])
    }

    @Test func unsynchronisedTagsAndExtendedHeadersAreRead() {
        // A mark for the byte order has a zero after 0xFF if it is unsynchronised.
        let wide = [1] + [0xFF, 0x00, 0xFE] + Self.wide("Ñu", isBigEndian: false)
        let plain = [1] + [0xFF, 0xFE] + Self.wide("Ñu", isBigEndian: false)
        let old = Array("TIT2".utf8) + Self.size(plain.count, bitsPerByte: 8) + [0, 0] + wide
        #expect(read(Self.tag(old, version: 3, flags: 0x80)) == ["title": "Ñu"])
        let new = Self.frame("TIT2", [0, 0, 0, UInt8(plain.count)] + wide, version: 4, flags: 0x03)
        #expect(read(Self.tag(new, version: 4)) == ["title": "Ñu"])
        let title3 = Self.frame("TIT2", Self.utf8("a"), version: 3)
        #expect(read(Self.tag([0, 0, 0, 6, 0, 0, 0, 0, 0, 0], title3, version: 3, flags: 0x40)) == ["title": "a"])
        let title4 = Self.frame("TIT2", [7] + Self.utf8("a"), version: 4, flags: 0x40)
        #expect(read(Self.tag([0, 0, 0, 6, 1, 0], title4, version: 4, flags: 0x40)) == ["title": "a"])
        // Compressed and encrypted.
        for (version, flags) in [(UInt8(3), UInt8(0x80)), (3, 0x40), (4, 0x08), (4, 0x04)] {
            let frame = Self.frame("TIT2", Self.utf8("a"), version: version, flags: flags)
            #expect(read(Self.tag(frame, version: version)).isEmpty)
        }
    }

    @Test func aTagMayBeAChunkOrAtAnOffset() {
        let tag = Self.tag(Self.frame("TPE1", Self.utf8("Ana\0Eva"), version: 4), version: 4)
        let (low, high) = (Array(Self.size(tag.count, bitsPerByte: 8).reversed()), Self.size(tag.count, bitsPerByte: 8))
        let odd: [UInt8] = [1, 0]
        let wave = Array("RIFFxxxxWAVEdata".utf8) + [1, 0, 0, 0] + odd + Array("id3 ".utf8) + low + tag
        let aiff = Array("FORMxxxxAIFCSSND".utf8) + [0, 0, 0, 1] + odd + Array("ID3 ".utf8) + high + tag
        let dsf = Array("DSD ".utf8) + [UInt8](repeating: 0, count: 16) + [30, 0, 0, 0, 0, 0, 0, 0, 9, 9] + tag
        for file in [wave, aiff, dsf] { #expect(read(file) == ["artist": "Ana;Eva"]) }
    }

    // MARK: Others

    private static func little(_ count: Int) -> [UInt8] { size(count, bitsPerByte: 8).reversed() }

    private static func apeTag(
        _ items: (key: String, value: [UInt8], flags: UInt8)..., isFollowed: Bool = false
    ) -> [UInt8] {
        var content: [UInt8] = []
        for item in items {
            content += little(item.value.count) + [item.flags, 0, 0, 0]
            content += Array(item.key.utf8) + [0]
            content += item.value
        }
        var file: [UInt8] = [1, 2, 3] + content + Array("APETAGEX".utf8)
        file += little(2_000) + little(content.count + 32)
        file += little(items.count) + [UInt8](repeating: 0, count: 12)
        if isFollowed { file += Array("TAG".utf8) + [UInt8](repeating: 0, count: 125) }
        return file
    }

    @Test(arguments: [false, true]) func theValuesOfAnAPETagAllCount(isFollowed: Bool) {
        let file = Self.apeTag(
            ("Title", Array("Dúo".utf8), 0), ("ARTIST", Array("Ana\0Eva".utf8), 0),
            ("Genre", Array("Jazz\0Pop".utf8), 0),
            ("Cover Art (Front)", [0, 1, 2], 2), ("Year", Array("1987".utf8), 0), isFollowed: isFollowed)
        #expect(read(file) == ["title": "Dúo", "artist": "Ana;Eva", "genre": "Jazz;Pop", "date": "1987"])
    }

    private static func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
        size(content.count + 8, bitsPerByte: 8) + type + content
    }

    private static func movie(_ items: [UInt8], hasVersion: Bool = true) -> [UInt8] {
        let handler = box(Array("hdlr".utf8), [UInt8](repeating: 0, count: 25))
        let meta = (hasVersion ? [0, 0, 0, 0] : []) + handler + box(Array("ilst".utf8), items)
        let movie = box(Array("moov".utf8), box(Array("udta".utf8), box(Array("meta".utf8), meta)))
        return box(Array("ftyp".utf8), Array("M4A ".utf8)) + box(Array("mdat".utf8), [9]) + movie
    }

    private static func data(_ text: String, kind: UInt8 = 1) -> [UInt8] {
        let value = kind == 2 ? wide(text, isBigEndian: true) : Array(text.utf8)
        return box(Array("data".utf8), [0, 0, 0, kind, 0, 0, 0, 0] + value)
    }

    @Test(arguments: [true, false]) func theValuesOfAMovieAllCount(hasVersion: Bool) {
        let artists = Self.data("Ana") + Self.data("Eva", kind: 2) + Self.data("x", kind: 13)
        var items = Self.box([0xA9] + Array("ART".utf8), artists)
        for genre in ["Jazz", "Pop"] { items += Self.box([0xA9] + Array("gen".utf8), Self.data(genre)) }
        // libav reads a single value as well.
        items += Self.box(Array("aART".utf8), Self.data("Ana"))
        #expect(read(Self.movie(items, hasVersion: hasVersion)) == ["artist": "Ana;Eva", "genre": "Jazz;Pop"])
    }

    @Test func whateverIsThereNeverTraps() {
        var generator = SeededGenerator(seed: 45)
        let name = Self.frame("TIT2", [0, 0xF3, 0xF3], version: 3)
        let artist = Self.frame("TPE1", [1, 0xFF, 0xFE, 1, 2, 0], version: 3)
        let comment = Self.frame("COMM", [3, 1, 2, 3, 0, 65], version: 4, flags: 3)
        let files: [[UInt8]] = [
            Self.tag(name, artist, version: 3), Self.tag(comment, version: 4, flags: 0xC0),
            Self.apeTag(("Title", Array("a".utf8), 0)),
            Self.movie(Self.box([0xA9] + Array("ART".utf8), Self.data("a"))),
            Array("RIFFxxxxWAVEid3 ".utf8) + [9, 0, 0, 0], Array("DSD ".utf8) + [UInt8](repeating: 0xFF, count: 40),
        ]
        for whole in files {
            for length in 0...whole.count { _ = read(Array(whole.prefix(length))) }
            for _ in 0..<1_000 {
                var damaged = whole + [UInt8](repeating: 0xFF, count: 40)
                for _ in 0..<4 {
                    let place = Int.random(in: 0..<damaged.count, using: &generator)
                    damaged[place] = .random(in: 0...255, using: &generator)
                }
                _ = read(damaged)
            }
        }
    }
}
