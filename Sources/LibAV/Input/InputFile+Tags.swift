import CLibAV

extension InputFile {
    /// Keys in lower case, values trimmed and in UTF-8. The file's own tags come before those of its main streams, which
    /// is where Ogg has them.
    package var tags: [String: String] {
        var tags: [String: String] = [:]
        collectTags(context.pointee.metadata, into: &tags)
        for kind in [StreamInfo.Kind.audio, .video] {
            guard let main = mainStream(kind) else { continue }
            collectTags(stream(main).pointee.metadata, into: &tags)
        }
        if tags["date"] == nil, let year = tags["year"] { tags["date"] = year }
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

    /// Written by muxers about themselves or one stream.
    private static let technicalTags: Set<String> = [
        "compatible_brands", "duration", "encoder", "handler_name", "language", "major_brand", "minor_version",
        "vendor_id",
    ]

    static func value(of key: String, in dictionary: OpaquePointer?) -> String? {
        guard let entry = libav.av_dict_get(dictionary, key, nil, 0) else { return nil }
        let value = text(entry.pointee.value)
        return value.isEmpty ? nil : value
    }

    /// At most ``maximumTagByteCount`` bytes, without control characters and surrounding white space.
    private static func text(_ characters: UnsafePointer<CChar>?) -> String {
        guard let characters else { return "" }
        var bytes: [UInt8] = []
        var index = 0
        while index < maximumTagByteCount, characters[index] != 0 {
            bytes.append(UInt8(bitPattern: characters[index]))
            index += 1
        }
        let printable = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar -> Character in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        let trimmed = printable.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return String(trimmed)
    }
}
