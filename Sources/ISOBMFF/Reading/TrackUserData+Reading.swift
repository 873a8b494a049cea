import MediaCore
import NIOCore

extension TrackUserData {
    /// Limit on the bytes of a name that are read; names are cut further for playlists.
    private static let maximumNameByteCount = 1_024
    /// Limit on the boxes that are examined.
    private static let maximumBoxCount = 64

    /// Reads the boxes of a track; what is damaged counts as missing.
    init(ofTrackWith children: [Box]) {
        guard let boxes = try? children.first("udta")?.children() else { return }
        for box in boxes.prefix(Self.maximumBoxCount) {
            guard let payload = try? box.payload() else { continue }
            switch box.type {
            // QuickTime: text without a terminator.
            case "name": name = name ?? Self.text(payload.readableBytesView)
            // 3GPP TS 26.244 §8.3: version, flags and language come first.
            case "titl": name = name ?? Self.text(payload.readableBytesView.dropFirst(6))
            case "kind": addKind(payload.readableBytesView.dropFirst(4))
            // QuickTime: a media characteristic.
            case "tagc":
                addCharacteristic(String(decoding: payload.readableBytesView.prefix { $0 != 0 }, as: UTF8.self))
            default: break
            }
        }
    }

    /// Adds a kind (ISO/IEC 14496-12 §8.10.4): a scheme and a value, each with a zero at its end.
    private mutating func addKind(_ bytes: ByteBufferView) {
        let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return }
        switch (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self)) {
        case ("urn:mpeg:dash:role:2011", "commentary"), ("about:html-kind", "commentary"): isCommentary = true
        case ("urn:mpeg:dash:role:2011", "description"), ("about:html-kind", "main-desc"),
            ("about:html-kind", "descriptions"), ("urn:tva:metadata:cs:AudioPurposeCS:2007", "1"):
            describesVideo = true
        case ("urn:mpeg:dash:role:2011", "caption"), ("about:html-kind", "captions"): isForTheDeaf = true
        case ("urn:mpeg:dash:role:2011", "forced-subtitle"), ("urn:mpeg:dash:role:2011", "forced_subtitle"):
            isForced = true
        default: break
        }
    }

    private mutating func addCharacteristic(_ text: String) {
        switch text {
        case "public.auxiliary-content": isCommentary = true
        case "public.accessibility.describes-video": describesVideo = true
        case "public.accessibility.transcribes-spoken-dialog", "public.accessibility.describes-music-and-sound":
            isForTheDeaf = true
        default: break
        }
    }

    private static func text(_ bytes: ByteBufferView) -> String? {
        var text = String(decoding: bytes.prefix(maximumNameByteCount).prefix { $0 != 0 }, as: UTF8.self)
        // Half a character at the cut.
        while text.last == "\u{FFFD}" { text.removeLast() }
        let line = UntrustedText.stripped(text)
        let trimmed = line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }
}
