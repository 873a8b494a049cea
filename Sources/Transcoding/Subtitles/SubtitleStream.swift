import CLibAV
import LibAV

/// A subtitle stream as stored in its file.
package struct SubtitleStream: Sendable, Hashable {
    /// The encodings of cue text.
    package enum Format: Sendable, Hashable {
        /// SubRip: text with HTML-like tags.
        case subRip
        /// Sub Station Alpha, plain or advanced, as stored in Matroska: an event of comma-separated fields, the last of
        /// which is the text.
        case subStation
        /// WebVTT cue text, without times and settings.
        case webVTT
        /// 3GPP timed text: a length in two bytes, followed by the text.
        case timedText
        /// Plain text.
        case plain
    }

    /// One subtitle.
    package struct Cue: Sendable, Hashable {
        /// The start in milliseconds on the title's timeline.
        package var start: Int64
        /// The end in milliseconds on the title's timeline; `nil` if the file does not say.
        package var end: Int64?
        /// The WebVTT cue settings; empty if there are none.
        package var settings: String
        /// The text in the stream's ``SubtitleStream/format``.
        package var bytes: [UInt8]
    }

    /// The encoding of the cues.
    package var format: Format
    /// The ISO 639-2 language code as stored in the file; `nil` if there is none.
    package var language: String?
    /// The title that the author gave the stream; `nil` if there is none.
    package var title: String?
    /// True if the file marks the stream as the default one.
    package var isDefault: Bool
    /// True if the file marks the stream as forced.
    package var isForced: Bool
    /// True if the subtitles describe speakers and noises, for people who are deaf or hard of hearing.
    package var isForTheDeaf: Bool
    /// The subtitles in the order of the file.
    package var cues: [Cue] = []

    /// The largest number of cues in a stream; a film has two thousand.
    package static let maximumCueCount = 50_000
    /// The largest cue in bytes; longer ones are dropped.
    static let maximumCueByteCount = 16 << 10
    /// The largest size of all cues of a stream in bytes; a film has a hundred kilobytes.
    static let maximumByteCount = 8 << 20
    /// The largest number of subtitle streams in a file: languages, each with forced and hearing-impaired variants.
    package static let maximumCount = 32

    /// Reads the stream's properties; `nil` if its format is not a supported text format.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        switch stream.pointee.codecpar.pointee.codec_id {
        case AV_CODEC_ID_SUBRIP: format = .subRip
        case AV_CODEC_ID_ASS, AV_CODEC_ID_SSA: format = .subStation
        case AV_CODEC_ID_WEBVTT: format = .webVTT
        case AV_CODEC_ID_MOV_TEXT: format = .timedText
        case AV_CODEC_ID_TEXT: format = .plain
        default: return nil
        }
        let (metadata, disposition) = (stream.pointee.metadata, stream.pointee.disposition)
        language = InputFile.value(of: "language", in: metadata)
        title = InputFile.value(of: "title", in: metadata)
        isDefault = disposition & AV_DISPOSITION_DEFAULT != 0
        isForced = disposition & AV_DISPOSITION_FORCED != 0
        isForTheDeaf = disposition & (AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_CAPTIONS) != 0
    }
}
