import CLibAV

/// A file's subtitles in one language, as they stand in the file.
package struct TextStream: Sendable, Hashable {
    package enum Format: Sendable, Hashable {
        /// Tags as in HTML.
        case subRip
        /// An event of Sub Station Alpha, plain or advanced, as Matroska has it: fields with commas between them, the
        /// last of which is the text.
        case subStation
        /// Cue text, without times and settings.
        case webVTT
        /// 3GPP timed text: a length in two bytes, and the text.
        case timedText
        case plain
    }

    package struct Cue: Sendable, Hashable {
        /// Milliseconds on the title's timeline.
        package var start: Int64
        /// Likewise; `nil` where the file does not tell.
        package var end: Int64?
        /// Of WebVTT.
        package var settings: String
        package var bytes: [UInt8]
    }

    package var format: Format
    /// ISO 639-2, as the file has it.
    package var language: String?
    /// The author's name for it.
    package var title: String?
    package var isDefault: Bool
    package var isForced: Bool
    /// With speakers and noises, for those who do not hear.
    package var isForTheDeaf: Bool
    package var cues: [Cue] = []

    /// A film has two thousand.
    package static let maximumCueCount = 50_000
    /// Longer ones are left out.
    static let maximumCueByteCount = 16 << 10
    /// Of all cues; a film's are a hundred kilobytes.
    static let maximumByteCount = 8 << 20
    /// Languages, each with one for signs and one for the deaf.
    package static let maximumCount = 32

    /// `nil` where it is no text that can be read.
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

/// A stream that is in the file and not in what was made of it, and why.
package struct LeftOutStream: Sendable, Hashable, CustomStringConvertible {
    package var index: Int
    package var codecName: String
    package var language: String?
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

/// A named place in a file.
package struct ChapterMark: Sendable, Hashable {
    /// Milliseconds on the title's timeline.
    package var start: Int64
    /// Empty where it has no name.
    package var title: String

    /// A film has thirty.
    package static let maximumCount = 1_000
}

/// Takes the texts along while a film is copied, so that it is read once. Belongs to one thread.
struct TextCollection {
    private(set) var leftOut: [LeftOutStream] = []
    /// By the streams' indices.
    private var streams: [Int: TextStream] = [:]
    private var byteCounts: [Int: Int] = [:]
    private let input: InputFile

    /// Of streams that are pictures of letters.
    private static let pictureCodecs = ["dvb_subtitle", "dvd_subtitle", "hdmv_pgs_subtitle", "xsub"]

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
                    : Self.pictureCodecs.contains(info.codecName)
                        ? "subtitles that are pictures are not read" : "subtitles of this kind are not read"
                leftOut.append(LeftOutStream(info, reason: reason))
            }
        }
    }

    var wanted: [StreamInfo] { input.streams.filter { streams[$0.index] != nil } }

    /// In the order of the file; those that say something.
    var texts: [TextStream] { streams.sorted { $0.key < $1.key }.map(\.value).filter { !$0.cues.isEmpty } }

    /// - Parameter shift: microseconds that are added to every time.
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
            // Damaged times are anything.
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

    /// Which Matroska keeps beside the text.
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
    /// In the order of their starts.
    ///
    /// - Parameter shift: microseconds that are added to every time.
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
