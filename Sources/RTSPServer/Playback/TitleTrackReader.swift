import MediaCore
import NIOCore
import Packaging
import RTPTransport

/// The state of one track of a title that is being sent: samples that have been read, and the next ones to read.
struct TitleTrackReader {
    let rendition: PackagedRendition
    private(set) var packetizer: RTPPacketizer
    /// Samples that have been read but not sent, in decoding order.
    private var units: CircularBuffer<ReadUnit> = []
    /// The next sample to read; `nil` at the end.
    private var next: TimedSample?

    struct ReadUnit {
        var sample: TimedSample
        var bytes: ByteBuffer
    }

    /// One read: consecutive samples, and the positions of their bytes.
    struct Batch: Sendable {
        var samples: [TimedSample]

        var ranges: [FileRange] { samples.map(\.range) }
        var byteCount: Int { samples.reduce(0) { $0 + $1.range.byteCount } }
    }

    /// Size limit of a read in bytes, half a second of 4 Mbit/s: one system call, and little memory for each reader.
    static let maximumBatchByteCount = 256 * 1_024
    static let maximumBatchSampleCount = 64
    /// Size limit of a sample in bytes, because a file may claim 4 GB for one; see
    /// ``DepacketizerLimits/maximumAccessUnitByteCount``.
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

    /// Decode time of the next unit to be sent; `nil` if it has not been read.
    var nextTime: MediaTime? { units.first.map { time($0.sample.decodeTime) } }

    func time(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: rendition.track.timescale) }

    // MARK: Seeking

    /// - Returns: the presentation time at which decoding starts, at or before `time`; `nil` if there is no such
    ///   sample.
    mutating func seek(atOrBefore time: MediaTime) -> MediaTime? {
        units.removeAll()
        next = rendition.syncSample(atOrBefore: time.converted(to: rendition.track.timescale).value)
        return next.map { self.time($0.presentationTime) }
    }

    /// Presentation time of the first sample that was not sent before a pause; `nil` at the end.
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

    /// Whether a batch can be read; samples that are too large to be sent are skipped.
    static func isReadable(_ batch: Batch) -> Bool { batch.byteCount <= maximumSampleByteCount }

    /// - Parameter bytes: the bytes of all samples in the batch; `nil` if they are skipped.
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

    /// - Parameter shift: offset from the title's timeline to the session's.
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

    /// Splits a sample into NAL units with four-byte lengths (ISO/IEC 14496-15 §5.3.2). A malformed length ends the
    /// list.
    private static func nalUnits(in bytes: ByteBuffer) -> [FragmentedNALUnit] {
        var bytes = bytes
        var units: [FragmentedNALUnit] = []
        while let unit = bytes.readLengthPrefixedSlice(as: UInt32.self) { units.append(FragmentedNALUnit(unit)) }
        return units
    }
}
