import SiteTexts

/// Why a file cannot be played, as a page says it. Workers, libav and the library give their reasons in English, in one
/// text that logs and the API show; this is the kind that such a text belongs to, for pages in other languages.
enum MediaFailure: String, CaseIterable {
    case cancelled, unknownFormat, noExtension, playlist, empty, incomplete, protected, noMedia, unsupported
    case tooLong, outOfMemory, diskFull, notReadable, missing, crashed, damaged
    /// The reason is in none of these; the server's log has it.
    case other

    /// Parts of the reasons of each kind. The first kind that has a part of a text is its kind, so the more special
    /// ones come first.
    private var parts: [String] {
        switch self {
        case .cancelled: ["stopped by an operator"]
        case .unknownFormat: ["not in any media format", "holds no media", "not an MP4 or MOV file"]
        case .noExtension: ["no file extension"]
        case .playlist: ["refers to other files"]
        case .empty: ["is empty"]
        case .incomplete: ["cut off", "truncated", "the file ends", "past the end of the file", "incomplete"]
        case .protected: ["encrypted", "DRM"]
        case .noMedia: ["neither video nor audio", "has no video", "has no duration", "has no audio"]
        case .unsupported:
            ["has no decoder", "encoder", "cannot be scaled", "converting its audio", "cannot be encoded", "codec"]
        case .tooLong: ["took more than", "took longer than", "took too long"]
        case .outOfMemory: ["out of memory"]
        case .diskFull: ["No space left", "disk is full", "Disk quota"]
        case .notReadable: ["Permission denied", "cannot be read", "cannot open it", "cannot read it", "regular file"]
        case .missing: ["No such file", "the file is gone"]
        case .damaged:
            [
                "reading its header", "looking for its streams", "looking for its format", "reading it", "decoding",
                "box '", "damaged", "has a frame of", "key frames", "scaling", "writing the MP4", "timescale",
            ]
        case .crashed: ["the worker"]
        case .other: []
        }
    }

    init(_ reason: String) {
        self = Self.allCases.first { kind in kind.parts.contains { reason.contains($0) } } ?? .other
    }

    /// The reason as a page in a language says it.
    ///
    /// - Parameters:
    ///   - reason: the reason in English.
    ///   - language: the language of the page.
    static func text(_ reason: String, in language: SiteLanguage) -> String {
        guard language != .english else { return reason }
        let texts = MediaFailureText.of(language)
        return unsupportedCodec(in: reason, texts) ?? texts[MediaFailure(reason)]
    }

    /// The text for "film.mp4: NAME is not supported"; `nil` if that is not the reason.
    private static func unsupportedCodec(in reason: String, _ texts: MediaFailureText) -> String? {
        let parts = reason.split(separator: " is not supported", maxSplits: 1)
        guard parts.count > 1, let name = parts[0].split(separator: ": ").last else { return nil }
        return texts.unsupported(
            String(name).replacing("the codec", with: texts.theCodec).replacing(
                "an unknown codec", with: texts.unknownCodec))
    }
}
