import CAntenaSystem
import ISOBMFF
import MediaCore
import NIOCore

/// The part that is being built: its samples are described and their bytes are copied as they arrive.
struct PartBuilder {
    private var samples: [FragmentSample] = []
    private var media: ByteBuffer
    private(set) var decodeTime: Int64 = 0
    private(set) var duration: Int64 = 0
    /// True if a sample is complete only with frames before the segment.
    var refersBack = false
    /// Timed events to write in front of the part when it is finished, oldest first.
    private var events: [(event: TimedEvent, time: MediaTime)] = []
    private let timescale: Timescale
    private let allocator: ByteBufferAllocator
    /// New parts are written into the memory of those that are not listed any more and that nobody is being sent.
    private var buffers = RecycledBuffers(
        maximumUsedCount: maximumKeptPartCount, maximumSpareCount: maximumSpareBufferCount)
    /// A capacity estimated from the previous parts, so that a part rarely grows while it is built.
    private var expectedByteCount = 16 << 10

    init(timescale: Timescale, allocator: ByteBufferAllocator) {
        self.timescale = timescale
        self.allocator = allocator
        media = ByteBuffer()
    }

    var isEmpty: Bool { samples.isEmpty }
    var lastDuration: Int64 { samples.last.map { Int64($0.duration) } ?? 0 }

    /// Limit on the parts whose memory is waited for: more than a playlist without a time shift lists.
    private static let maximumKeptPartCount = 256
    /// Limit on the buffers that wait for a part. The parts of a segment leave the playlist together.
    private static let maximumSpareBufferCount = 8

    /// Limit on the events that wait for a part. A track that sends nothing would collect them without end; the oldest
    /// are dropped.
    static let maximumEventCount = 32

    /// Adds an event to the part that is being built.
    ///
    /// - Parameter time: the event's time on the output's timeline.
    mutating func insert(_ event: TimedEvent, at time: MediaTime) {
        if events.count == Self.maximumEventCount { events.removeFirst() }
        events.append((event, time))
    }

    /// Adds a sample to the part that is being built.
    ///
    /// - Parameter duration: the predicted duration in ticks; see ``correctLastDuration(to:)``.
    mutating func append(_ unit: AccessUnit, decodeTime: Int64, compositionOffset: Int32, duration: UInt32) {
        if samples.isEmpty {
            self.decodeTime = decodeTime
            media = buffers.take(minimumCapacity: expectedByteCount, allocator: allocator)
        }
        let byteCount = unit.payload.byteCount
        unit.payload.write(into: &media)
        samples.append(
            FragmentSample(
                duration: duration, byteCount: UInt32(clamping: byteCount), compositionOffset: compositionOffset,
                isSync: unit.isRandomAccessPoint))
        self.duration += Int64(duration)
    }

    /// Sets the exact duration of the last sample, known once the next sample has arrived.
    mutating func correctLastDuration(to duration: UInt32) {
        guard let last = samples.last else { return }
        samples[samples.count - 1].duration = duration
        self.duration += Int64(duration) - Int64(last.duration)
    }

    /// Finishes the part and empties the builder. Returns `nil` if there is no sample.
    mutating func finish(sequenceNumber: UInt32) -> PartialSegment? {
        guard let first = samples.first else { return nil }
        let layout = FragmentLayout(samples)
        var header = allocator.buffer(capacity: layout.headerByteCount)
        for (event, time) in events { event.message(at: time.converted(to: timescale)).write(into: &header) }
        events.removeAll()
        layout.writeHeader(of: samples, sequenceNumber: sequenceNumber, decodeTime: decodeTime, into: &header)
        // Must happen before the part refers to the buffer as well.
        media.discardUnusedPages()
        let part = PartialSegment(
            decodeTime: MediaTime(value: decodeTime, timescale: timescale),
            duration: MediaTime(value: duration, timescale: timescale), isIndependent: first.isSync,
            refersBack: refersBack, sampleCount: samples.count, header: header, media: media, samples: samples)
        buffers.keep(media)
        expectedByteCount = media.readableBytes + media.readableBytes / 8
        samples = []
        samples.reserveCapacity(part.sampleCount)
        media = ByteBuffer()
        duration = 0
        refersBack = false
        return part
    }
}

extension ByteBuffer {
    /// Returns the whole pages after the written bytes to the system. Meant for buffers that are kept and not written
    /// to any more.
    ///
    /// NIO rounds capacities up to a power of two, so up to half of a buffer is never used. If malloc takes the buffer
    /// from a block that was in use before, that half is resident all the same: with parts that live for minutes, it
    /// made the process grow by as much as the media it holds.
    ///
    /// No reader sees a change, because only bytes that were never written are affected. Call it while nothing else
    /// refers to the buffer; otherwise the buffer would be copied.
    mutating func discardUnusedPages() {
        withUnsafeMutableWritableBytes { unused in
            guard let start = unused.baseAddress else { return }
            antena_discard_pages(start, unused.count)
        }
    }
}
