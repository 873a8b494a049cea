import CLibAV
import LibAV

/// Collects subtitles while a film is converted, so that the file is read once. Belongs to one thread.
struct SubtitleCollection {
    /// The subtitle streams that are not collected.
    private(set) var leftOut: [LeftOutStream] = []
    /// The collected subtitles, keyed by stream index.
    private var streams: [Int: SubtitleStream] = [:]
    private var byteCounts: [Int: Int] = [:]
    private let input: InputFile

    /// The codecs of subtitles that are images of text.
    private static let imageCodecs = ["dvb_subtitle", "dvd_subtitle", "hdmv_pgs_subtitle", "xsub"]

    init(_ input: InputFile) {
        self.input = input
        for info in input.streams where info.kind == .subtitle {
            var stream = SubtitleStream(input.stream(info))
            stream?.language = info.language
            if let stream, streams.count < SubtitleStream.maximumCount {
                streams[info.index] = stream
            } else {
                let reason =
                    stream != nil
                    ? "there are more than \(SubtitleStream.maximumCount) subtitles"
                    : Self.imageCodecs.contains(info.codecName)
                        ? "image subtitles are not supported" : "subtitles of this kind are not supported"
                leftOut.append(LeftOutStream(info, reason: reason))
            }
        }
    }

    /// The streams whose packets ``accept(_:shift:)`` needs.
    var wanted: [StreamInfo] { input.streams.filter { streams[$0.index] != nil } }

    /// The collected streams that have cues, in the order of the file.
    var subtitles: [SubtitleStream] { streams.sorted { $0.key < $1.key }.map(\.value).filter { !$0.cues.isEmpty } }

    /// Adds a packet's cue to its stream, within the limits of ``SubtitleStream``.
    ///
    /// - Parameter shift: The microseconds to add to every time.
    mutating func accept(_ packet: Packet, shift: Int64) {
        let index = packet.streamIndex
        guard let stream = streams[index], stream.cues.count < SubtitleStream.maximumCueCount,
            let time = packet.presentationTime ?? packet.decodeTime,
            (1...SubtitleStream.maximumCueByteCount).contains(packet.bytes.count)
        else { return }
        let byteCount = (byteCounts[index] ?? 0) + packet.bytes.count
        guard byteCount <= SubtitleStream.maximumByteCount, let avStream = input.context.pointee.streams[index] else {
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
            SubtitleStream.Cue(
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
