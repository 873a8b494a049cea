import CLibAV
import LibAV
import MediaCore

/// Decides by a file's first seconds whether its video and audio already meet a preset and can be copied.
struct CopyDecision {
    private static let examinedDuration = Duration.seconds(20)
    private static let maximumExaminedPacketCount = 20_000
    /// The tolerated ratio of the average bit rate to the preset's: rate controls vary.
    private static let toleratedExcess = 1.1
    /// The tolerated ratio of any second's bit rate to the preset's: bursts have to pass the uplink, too.
    private static let toleratedPeak = 2.0
    /// The longest tolerated distance between key frames in seconds, twice the encoder's: viewers wait for a key frame.
    private static let maximumKeyFrameInterval = Duration.seconds(4)
    private static let maximumAudioExcess = 1.6

    private(set) var copiesVideo = false
    private(set) var copiesAudio = false

    /// Examines a file.
    ///
    /// - Parameter input: The file, whose position is somewhere after its start afterwards.
    init(examining input: InputFile, for encoding: BroadcastEncoding) throws(LibAVError) {
        let video = input.mainStream(.video)
        let audio = input.mainStream(.audio)
        let streams = [video, audio].compactMap(\.self)
        input.readOnly(streams)
        var measures: [Int: Measure] = [:]
        let packet = try Packet()
        for _ in 0..<Self.maximumExaminedPacketCount {
            guard try input.read(into: packet) else { break }
            guard let info = streams.first(where: { $0.index == packet.streamIndex }) else { continue }
            let base = input.stream(info).pointee.time_base
            guard let ticks = packet.decodeTime ?? packet.presentationTime else { continue }
            let time = Double(rescale(ticks, from: base, to: microseconds)) / 1e6
            measures[info.index, default: Measure(start: time)].add(
                byteCount: packet.bytes.count, time: time,
                isKeyFrame: packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0)
            if measures.values.contains(where: { $0.duration > Self.examinedDuration.seconds }) { break }
        }
        if let video, let measure = measures[video.index], video.codecName == "h264", let width = video.width,
            let height = video.height
        {
            copiesVideo =
                width <= encoding.width && height <= encoding.height
                && (video.frameRate ?? .infinity) <= encoding.frameRate * 1.02
                && measure.bitRate <= Double(encoding.videoBitRate) * Self.toleratedExcess
                && measure.peakBitRate <= Double(encoding.videoBitRate) * Self.toleratedPeak
                && measure.longestKeyFrameInterval <= Self.maximumKeyFrameInterval.seconds
                && FrameRotation(of: input.stream(video)) == .none
        }
        if let audio, let measure = measures[audio.index], audio.codecName == "aac" {
            copiesAudio =
                (audio.channelCount ?? .max) <= 2
                && measure.bitRate <= Double(encoding.audioBitRate) * Self.maximumAudioExcess
        }
    }

    /// The measurements of one stream.
    private struct Measure {
        let start: Double
        private var end: Double
        private var byteCount = 0
        /// The number of bytes in each second.
        private var secondByteCounts: [Int: Int] = [:]
        private var lastKeyFrame: Double?
        private(set) var longestKeyFrameInterval = 0.0

        init(start: Double) {
            self.start = start
            end = start
        }

        var duration: Double { end - start }
        var bitRate: Double { Double(byteCount) * 8 / max(1, duration) }
        var peakBitRate: Double { Double(secondByteCounts.values.max() ?? 0) * 8 }

        mutating func add(byteCount: Int, time: Double, isKeyFrame: Bool) {
            end = max(end, time)
            self.byteCount += byteCount
            let second = Int(max(0, min(time - start, 1e6)))
            secondByteCounts[second, default: 0] += byteCount
            if isKeyFrame {
                longestKeyFrameInterval = max(longestKeyFrameInterval, time - (lastKeyFrame ?? time))
                lastKeyFrame = time
            } else if let lastKeyFrame {
                longestKeyFrameInterval = max(longestKeyFrameInterval, time - lastKeyFrame)
            }
        }
    }
}
