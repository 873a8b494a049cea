import CLibAV

/// A subtitle stream as stored in its file.
package struct TextStream: Sendable, Hashable {
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
        /// The text in the stream's ``TextStream/format``.
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

/// A stream that was left out of a conversion, and the reason.
package struct LeftOutStream: Sendable, Hashable, CustomStringConvertible {
    /// The stream's position in the file.
    package var index: Int
    /// libav's name of the codec.
    package var codecName: String
    /// The language code; `nil` if the file does not say.
    package var language: String?
    /// Why the stream was left out, in human-readable form.
    package var reason: String

    init(_ info: StreamInfo, reason: String) {
        index = info.index
        codecName = info.codecName
        language = info.language
        self.reason = reason
    }

    package var description: String {
        "stream \(index) (\(([codecName] + [language].compactMap(\.self)).joined(separator: ", "))): \(reason)"
    }
}

/// A chapter of a file.
package struct ChapterMark: Sendable, Hashable {
    /// The start in milliseconds on the title's timeline.
    package var start: Int64
    /// The chapter's name; empty if it has none.
    package var title: String

    /// The largest number of chapters; a film has thirty.
    package static let maximumCount = 1_000
}

/// Collects subtitles while a film is converted, so that the file is read once. Belongs to one thread.
struct TextCollection {
    /// The subtitle streams that are not collected.
    private(set) var leftOut: [LeftOutStream] = []
    /// The collected subtitles, keyed by stream index.
    private var streams: [Int: TextStream] = [:]
    private var byteCounts: [Int: Int] = [:]
    private let input: InputFile

    /// The codecs of subtitles that are images of text.
    private static let imageCodecs = ["dvb_subtitle", "dvd_subtitle", "hdmv_pgs_subtitle", "xsub"]

    init(_ input: InputFile) {
        self.input = input
        for info in input.streams where info.kind == .subtitle {
            let stream = TextStream(input.stream(info))
            if let stream, streams.count < TextStream.maximumCount {
                streams[info.index] = stream
            } else {
                let reason =
                    stream != nil
                    ? "there are more than \(TextStream.maximumCount) subtitles"
                    : Self.imageCodecs.contains(info.codecName)
                        ? "image subtitles are not supported" : "subtitles of this kind are not supported"
                leftOut.append(LeftOutStream(info, reason: reason))
            }
        }
    }

    /// The streams whose packets ``accept(_:shift:)`` needs.
    var wanted: [StreamInfo] { input.streams.filter { streams[$0.index] != nil } }

    /// The collected streams that have cues, in the order of the file.
    var texts: [TextStream] { streams.sorted { $0.key < $1.key }.map(\.value).filter { !$0.cues.isEmpty } }

    /// Adds a packet's cue to its stream, within the limits of ``TextStream``.
    ///
    /// - Parameter shift: The microseconds to add to every time.
    mutating func accept(_ packet: Packet, shift: Int64) {
        let index = packet.streamIndex
        guard let stream = streams[index], stream.cues.count < TextStream.maximumCueCount,
            let time = packet.presentationTime ?? packet.decodeTime,
            (1...TextStream.maximumCueByteCount).contains(packet.bytes.count)
        else { return }
        let byteCount = (byteCounts[index] ?? 0) + packet.bytes.count
        guard byteCount <= TextStream.maximumByteCount, let avStream = input.context.pointee.streams[index] else {
            return
        }
        byteCounts[index] = byteCount
        let timeBase = avStream.pointee.time_base
        func milliseconds(_ ticks: Int64) -> Int64 {
            // The arithmetic wraps because damaged files can hold any time.
            (rescale(ticks, from: timeBase, to: microseconds) &+ shift) / 1_000
        }
        let end = Int64(timestamp: packet.duration).flatMap { $0 > 0 ? milliseconds(time &+ $0) : nil }
        streams[index]?.cues.append(
            TextStream.Cue(
                start: milliseconds(time), end: end, settings: packet.webVTTSettings, bytes: Array(packet.bytes)))
    }
}

extension Packet {
    private static let maximumSideDataCount = 16
    private static let maximumSettingsByteCount = 512

    /// The WebVTT cue settings, which Matroska stores beside the text; empty if there are none.
    fileprivate var webVTTSettings: String {
        guard let sideData = pointer.pointee.side_data else { return "" }
        for index in 0..<min(Int(pointer.pointee.side_data_elems), Self.maximumSideDataCount) {
            let entry = sideData[index]
            guard entry.type == AV_PKT_DATA_WEBVTT_SETTINGS, let data = entry.data,
                entry.size <= Self.maximumSettingsByteCount
            else { continue }
            return String(decoding: UnsafeBufferPointer(start: data, count: Int(entry.size)), as: UTF8.self)
        }
        return ""
    }
}

extension InputFile {
    /// Returns the file's chapters in the order of their starts.
    ///
    /// - Parameter shift: The microseconds to add to every time.
    func chapters(shift: Int64) -> [ChapterMark] {
        guard let chapters = context.pointee.chapters else { return [] }
        let count = min(Int(context.pointee.nb_chapters), ChapterMark.maximumCount)
        let marks = (0..<count).compactMap { index -> ChapterMark? in
            guard let chapter = chapters[index], let start = Int64(timestamp: chapter.pointee.start),
                chapter.pointee.time_base.positive != nil
            else { return nil }
            let time = rescale(start, from: chapter.pointee.time_base, to: microseconds) &+ shift
            return ChapterMark(
                start: max(0, time) / 1_000, title: Self.value(of: "title", in: chapter.pointee.metadata) ?? "")
        }
        return marks.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }
}
