import CAntenaSystem
import ISOBMFF
import MediaCore
import NIOCore

/// The part that is being built: samples described and their bytes copied as they arrive.
struct PartBuilder {
    private var samples: [FragmentSample] = []
    private var media: ByteBuffer
    private(set) var decodeTime: Int64 = 0
    private(set) var duration: Int64 = 0
    /// In front of the part, as soon as there is one.
    private var events: [(event: TimedEvent, time: MediaTime)] = []
    private let timescale: Timescale
    private let allocator: ByteBufferAllocator
    /// What the last parts needed, so that a part rarely grows while it is built.
    private var expectedByteCount = 16 << 10

    init(timescale: Timescale, allocator: ByteBufferAllocator) {
        self.timescale = timescale
        self.allocator = allocator
        media = ByteBuffer()
    }

    var isEmpty: Bool { samples.isEmpty }
    var lastDuration: Int64 { samples.last.map { Int64($0.duration) } ?? 0 }

    /// More than are announced while a part is built; a track that sends nothing would gather them. The oldest go.
    static let maximumEventCount = 32

    /// - Parameter time: on the output's timeline.
    mutating func insert(_ event: TimedEvent, at time: MediaTime) {
        if events.count == Self.maximumEventCount { events.removeFirst() }
        events.append((event, time))
    }

    /// - Parameter duration: predicted; see ``correctLastDuration(to:)``.
    mutating func append(_ unit: AccessUnit, decodeTime: Int64, compositionOffset: Int32, duration: UInt32) {
        if samples.isEmpty {
            self.decodeTime = decodeTime
            media = allocator.buffer(capacity: expectedByteCount)
        }
        let byteCount = unit.payload.byteCount
        unit.payload.write(into: &media)
        samples.append(
            FragmentSample(
                duration: duration, byteCount: UInt32(clamping: byteCount), compositionOffset: compositionOffset,
                isSync: unit.isRandomAccessPoint))
        self.duration += Int64(duration)
    }

    /// The next sample has come, so the last one's duration is known.
    mutating func correctLastDuration(to duration: UInt32) {
        guard let last = samples.last else { return }
        samples[samples.count - 1].duration = duration
        self.duration += Int64(duration) - Int64(last.duration)
    }

    /// The finished part; the builder is empty again. `nil` where there was nothing to finish.
    mutating func finish(sequenceNumber: UInt32) -> PartialSegment? {
        guard let first = samples.first else { return nil }
        let layout = FragmentLayout(samples)
        var header = allocator.buffer(capacity: layout.headerByteCount)
        for (event, time) in events { event.message(at: time.converted(to: timescale)).write(into: &header) }
        events.removeAll()
        layout.writeHeader(of: samples, sequenceNumber: sequenceNumber, decodeTime: decodeTime, into: &header)
        // Before the part refers to it, too.
        media.discardUnusedPages()
        let part = PartialSegment(
            decodeTime: MediaTime(value: decodeTime, timescale: timescale),
            duration: MediaTime(value: duration, timescale: timescale), isIndependent: first.isSync,
            sampleCount: samples.count, header: header, media: media, samples: samples)
        expectedByteCount = media.readableBytes + media.readableBytes / 8
        samples = []
        samples.reserveCapacity(part.sampleCount)
        media = ByteBuffer()
        duration = 0
        return part
    }
}

extension ByteBuffer {
    /// Gives the whole pages behind the written bytes back to the system. For buffers that are kept and not written to
    /// any more.
    ///
    /// NIO rounds capacities up to a power of two, so up to half of a buffer is never used. Where malloc takes it from
    /// a block that was in use before, that half is resident all the same: with parts that live for minutes, it made
    /// the process grow by as much as the media it holds.
    ///
    /// No reader sees a change, because only bytes that were never written are affected. To be called while nothing
    /// else refers to the buffer; it would be copied for this otherwise.
    mutating func discardUnusedPages() {
        withUnsafeMutableWritableBytes { unused in
            guard let start = unused.baseAddress else { return }
            antena_discard_pages(start, unused.count)
        }
    }
}
