import MediaCore
import NIOCore
import Packaging
import RTPTransport

/// One track of a title on its way out: what has been read, and what comes next.
struct TitleTrackReader {
    let rendition: PackagedRendition
    private(set) var packetizer: RTPPacketizer
    /// Read and not sent yet, in decoding order.
    private var units: CircularBuffer<ReadUnit> = []
    /// The next to be read; `nil` behind the last.
    private var next: TimedSample?

    struct ReadUnit {
        var sample: TimedSample
        var bytes: ByteBuffer
    }

    /// A read: samples that follow each other, and their bytes' places.
    struct Batch: Sendable {
        var samples: [TimedSample]

        var ranges: [FileRange] { samples.map(\.range) }
        var byteCount: Int { samples.reduce(0) { $0 + $1.range.byteCount } }
    }

    /// Half a second of 4 Mbit/s: one system call, and little memory for each reader.
    static let maximumBatchByteCount = 256 * 1_024
    static let maximumBatchSampleCount = 64
    /// A file may claim 4 GB for one; see ``DepacketizerLimits/maximumAccessUnitByteCount``.
    static let maximumSampleByteCount = 8 << 20

    init(rendition: PackagedRendition, format: RTPPayloadFormat, trackIndex: Int) {
        self.rendition = rendition
        var generator = SystemRandomNumberGenerator()
        let stream = RTPPacketStream(
            payloadType: format.payloadType(trackIndex: trackIndex), clock: format.clock,
            channel: UInt8(clamping: 2 * min(trackIndex, 126)), using: &generator)
        packetizer = RTPPacketizer(format: format, timescale: .microseconds, stream: stream)
    }

    var isVideo: Bool { rendition.track.mediaType == .video }
    var needsRead: Bool { units.isEmpty && next != nil }

    /// Of the next unit to be sent, once it is read.
    var nextTime: MediaTime? { units.first.map { time($0.sample.decodeTime) } }

    func time(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: rendition.track.timescale) }

    // MARK: Seeking

    /// - Returns: where decoding starts, at or before `time`.
    mutating func seek(atOrBefore time: MediaTime) -> MediaTime? {
        units.removeAll()
        next = rendition.syncSample(atOrBefore: time.converted(to: rendition.track.timescale).value)
        return next.map { self.time($0.presentationTime) }
    }

    /// Back to what was not sent when the session was paused, bytes and all.
    var resumeTime: MediaTime? { (units.first?.sample ?? next).map { time($0.presentationTime) } }

    // MARK: Reading

    func nextBatch() -> Batch? {
        var batch = Batch(samples: [])
        var byteCount = 0
        var sample = next
        while let current = sample, batch.samples.count < Self.maximumBatchSampleCount {
            byteCount += current.range.byteCount
            if byteCount > Self.maximumBatchByteCount, !batch.samples.isEmpty { break }
            batch.samples.append(current)
            sample = rendition.sample(after: current)
        }
        return batch.samples.isEmpty ? nil : batch
    }

    /// Samples that are too large to be sent are passed over.
    static func isReadable(_ batch: Batch) -> Bool { batch.byteCount <= maximumSampleByteCount }

    /// - Parameter bytes: of all the batch's samples, or `nil` where they are passed over.
    mutating func append(_ batch: Batch, bytes: ByteBuffer?) {
        guard let last = batch.samples.last else { return }
        next = rendition.sample(after: last)
        guard var bytes else { return }
        for sample in batch.samples {
            guard let slice = bytes.readSlice(length: sample.range.byteCount) else { return }
            units.append(ReadUnit(sample: sample, bytes: slice))
        }
    }

    // MARK: Sending

    /// - Parameter shift: from the title's timeline to the session's.
    mutating func packetizeNext(shift: MediaTime) -> (packets: RTPPacketBatch, end: MediaTime)? {
        guard let unit = units.popFirst() else { return nil }
        let presentation = (time(unit.sample.presentationTime) + shift).converted(to: .microseconds)
        let end = time(unit.sample.presentationTime.addingSaturating(unit.sample.duration))
        let packets = packetizer.packetize(
            AccessUnit(
                decodeTime: presentation.value, presentationTime: presentation.value,
                isRandomAccessPoint: unit.sample.isSync, payload: payload(of: unit.bytes)))
        return (packets, end)
    }

    private func payload(of bytes: ByteBuffer) -> SamplePayload {
        switch packetizer.format {
        case .h264, .hevc: .nalUnits(Self.nalUnits(in: bytes))
        case .av1, .aac, .opus, .foreign: .frame(bytes)
        }
    }

    /// ISO/IEC 14496-15 §5.3.2, behind four-byte lengths. What does not add up ends the list.
    private static func nalUnits(in bytes: ByteBuffer) -> [FragmentedNALUnit] {
        var bytes = bytes
        var units: [FragmentedNALUnit] = []
        while let unit = bytes.readLengthPrefixedSlice(as: UInt32.self) { units.append(FragmentedNALUnit(unit)) }
        return units
    }
}
