import CLibAV
import Glibc
import MediaCore

extension InputFile {
    /// The file's tags: keys in lower case, values trimmed and in UTF-8. Tags of a stream are about that stream, the
    /// name of an audio track for instance; only in Ogg, which has no others, they are about the file. Several artists
    /// or genres are separated by semicolons.
    package var tags: [String: String] {
        var tags = sourceTags.mapValues { Self.printable(Self.cut(Array($0.utf8))) }.filter { !$0.value.isEmpty }
        // libav's date has the day, which is a text of its own in some tags.
        let year = tags.removeValue(forKey: "date")
        collectTags(context.pointee.metadata, into: &tags)
        for kind in [StreamInfo.Kind.audio, .video] where formatName == "ogg" {
            guard let main = mainStream(kind) else { continue }
            collectTags(stream(main).pointee.metadata, into: &tags)
        }
        if tags["date"] == nil { tags["date"] = year ?? tags["year"] }
        return tags
    }

    private func collectTags(_ dictionary: OpaquePointer?, into tags: inout [String: String]) {
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while tags.count < Self.maximumTagCount {
            entry = libav.av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
            guard let entry else { return }
            let key = Self.text(entry.pointee.key).lowercased()
            let value = Self.text(entry.pointee.value)
            guard !key.isEmpty, !value.isEmpty, tags[key] == nil, !Self.technicalTags.contains(key) else { continue }
            tags[key] = value
        }
    }

    /// The tags that muxers write about themselves or one stream.
    private static let technicalTags: Set<String> = [
        "compatible_brands", "duration", "encoder", "handler_name", "language", "major_brand", "minor_version",
        "vendor_id",
    ]

    /// Returns the text of a dictionary entry; `nil` if it is missing or empty.
    package static func value(of key: String, in dictionary: OpaquePointer?) -> String? {
        guard let entry = libav.av_dict_get(dictionary, key, nil, 0) else { return nil }
        let value = text(entry.pointee.value)
        return value.isEmpty ? nil : value
    }

    private static func text(_ characters: UnsafePointer<CChar>?) -> String { printable(bytes(characters)) }

    /// Returns at most ``maximumTagByteCount`` bytes, without half a character at the end.
    private static func bytes(_ characters: UnsafePointer<CChar>?) -> [UInt8] {
        guard let characters else { return [] }
        var bytes: [UInt8] = []
        while bytes.count < maximumTagByteCount, characters[bytes.count] != 0 {
            bytes.append(UInt8(bitPattern: characters[bytes.count]))
        }
        return cut(bytes)
    }

    /// Cuts text to ``maximumTagByteCount`` bytes, without half a character at the end.
    private static func cut(_ text: [UInt8]) -> [UInt8] {
        var bytes = Array(text.prefix(maximumTagByteCount))
        guard bytes.count == maximumTagByteCount else { return bytes }
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        return bytes
    }

    /// The encoding of tags that are not Unicode, derived from the server's locale; Windows-1252 by default.
    static let localeEncoding: LegacyEncoding = {
        let names: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
        let values = names.compactMap { name in getenv(name).map { String(cString: $0) } }
        return LegacyEncoding(ofLocale: values.first { !$0.isEmpty } ?? "")
    }()

    /// Text without control characters and surrounding white space.
    private static func printable(_ bytes: [UInt8]) -> String {
        let printable = localeEncoding.text(bytes).unicodeScalars.map { scalar -> Character in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        let trimmed = printable.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return String(trimmed)
    }
}
