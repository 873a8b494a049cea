import MediaCore
import NIOCore

extension SampleTable {
    /// Expands an `stbl`.
    ///
    /// - Parameters:
    ///   - sampleTableBox: the `stbl` box.
    ///   - fileByteCount: size of the file, within which every sample must lie.
    ///   - limit: number of samples that the movie may still have.
    init(parsing sampleTableBox: Box, fileByteCount: Int64, limit: SampleLimit) throws(ISOBMFFError) {
        let children = try sampleTableBox.children()
        self.init()
        try parseSizes(children, of: sampleTableBox, fileByteCount: fileByteCount, limit: limit)
        // The moov of a fragmented file has empty tables; some files omit stsc or stco altogether.
        guard !byteCounts.isEmpty else { return }
        try parseDurations(try children.required("stts", in: sampleTableBox))
        if let ctts = children.first("ctts") { try parseCompositionOffsets(ctts) }
        if let stss = children.first("stss") { try parseSyncSamples(stss) }
        try parseOffsets(children, of: sampleTableBox, fileByteCount: fileByteCount)
    }

    /// Parses `stsz` (ISO/IEC 14496-12 §8.7.3.2). The compact `stz2` is not supported, because no writer uses it for
    /// H.264 or AAC.
    private mutating func parseSizes(
        _ children: [Box], of parent: Box, fileByteCount: Int64, limit: SampleLimit
    ) throws(ISOBMFFError) {
        guard let box = children.first("stsz") else {
            guard children.first("stz2") == nil else {
                throw ISOBMFFError(
                    .unsupported, box: "stz2", at: parent.header.offset, "compact sample sizes are not supported")
            }
            throw parent.invalid("has no 'stsz' inside")
        }
        let head = try box.fields(2, at: 4)
        let (constant, count) = (head[0], Int(head[1]))
        guard limit.take(count) else {
            throw ISOBMFFError(
                .limitExceeded, box: box.type, at: box.header.offset,
                "with \(count) more samples, the movie has more than \(Self.maximumSampleCount)")
        }
        if constant != 0 {
            // Without this check, twenty bytes of stsz could create tables of any length.
            guard Int64(count) * Int64(constant) <= fileByteCount else {
                throw ISOBMFFError(
                    .truncated, box: box.type, at: box.header.offset,
                    "\(count) samples of \(constant) bytes do not fit into the file (\(fileByteCount) bytes)")
            }
            byteCounts = Array(repeating: constant, count: count)
        } else {
            var fields = try FieldReader(box, at: 12, entryCount: count, fieldsPerEntry: 1)
            byteCounts = try fields.rest()
        }
    }

    /// Parses `stts` (ISO/IEC 14496-12 §8.6.1.2).
    private mutating func parseDurations(_ box: Box) throws(ISOBMFFError) {
        try box.readRuns(of: byteCounts.count) { value, count in durations.append(value, count: count) }
    }

    /// Parses `ctts` (ISO/IEC 14496-12 §8.6.1.3). Version 0 is unsigned in the specification, but writers put
    /// negative offsets there, and no plausible positive offset has the highest bit set. Both versions are therefore
    /// read as signed.
    private mutating func parseCompositionOffsets(_ box: Box) throws(ISOBMFFError) {
        compositionOffsets.reserveCapacity(byteCounts.count)
        try box.readRuns(of: byteCounts.count) { value, count in
            for _ in 0..<count { compositionOffsets.append(Int32(bitPattern: value)) }
        }
        if compositionOffsets.allSatisfy({ $0 == 0 }) { compositionOffsets = [] }
    }

    /// Parses `stss` (ISO/IEC 14496-12 §8.6.2).
    private mutating func parseSyncSamples(_ box: Box) throws(ISOBMFFError) {
        var fields = try FieldReader(parsing: box, fieldsPerEntry: 1)
        syncFlags = Array(repeating: false, count: byteCounts.count)
        for _ in 0..<fields.entryCount {
            let number = try fields.next()
            guard number >= 1, number <= byteCounts.count else {
                throw box.invalid("names sync sample \(number) of \(byteCounts.count)")
            }
            syncFlags[Int(number) - 1] = true
        }
        if syncFlags.allSatisfy(\.self) { syncFlags = [] }
    }

    /// Parses `stsc` with `stco` or `co64` (ISO/IEC 14496-12 §8.7.4, §8.7.5).
    private mutating func parseOffsets(
        _ children: [Box], of parent: Box, fileByteCount: Int64
    ) throws(ISOBMFFError) {
        let chunkOffsets: ChunkOffsets
        if let box = children.first("stco") {
            chunkOffsets = ChunkOffsets(fields: try FieldReader(parsing: box, fieldsPerEntry: 1), isWide: false)
        } else {
            let box = try children.required("co64", in: parent)
            chunkOffsets = ChunkOffsets(fields: try FieldReader(parsing: box, fieldsPerEntry: 2), isWide: true)
        }
        var chunks = Chunks(
            offsets: chunkOffsets, sampleToChunk: try SampleToChunk(parsing: try children.required("stsc", in: parent)))
        if fileByteCount <= UInt32.max {
            offsets = SampleOffsets(try chunks.sampleOffsets(UInt32.self, byteCounts, fileByteCount: fileByteCount))
        } else {
            offsets = SampleOffsets(try chunks.sampleOffsets(Int64.self, byteCounts, fileByteCount: fileByteCount))
        }
    }
}

/// The positions of chunks in the file, from `stco` or `co64`, in order.
private struct ChunkOffsets {
    var fields: FieldReader
    /// Whether the offsets have 64 bits (`co64`).
    let isWide: Bool

    var count: Int { fields.entryCount }

    mutating func next() throws(ISOBMFFError) -> Int64 {
        guard isWide else { return Int64(try fields.next()) }
        let high = try fields.next()
        return Int64(clamping: UInt64(high) << 32 | UInt64(try fields.next()))
    }
}

/// The number of samples in each chunk, from `stsc` (ISO/IEC 14496-12 §8.7.4), in order.
private struct SampleToChunk {
    let box: Box
    private var fields: FieldReader
    private var readEntryCount = 0
    private var current: Entry
    private var following: Entry?

    private struct Entry {
        /// Number of the first chunk with these values, counted from 1.
        var firstChunk: UInt32
        var samplesPerChunk: UInt32
        var descriptionIndex: UInt32
    }

    init(parsing box: Box) throws(ISOBMFFError) {
        self.box = box
        fields = try FieldReader(parsing: box, fieldsPerEntry: 3)
        guard fields.entryCount > 0 else { throw box.invalid("does not start with chunk 1") }
        current = Entry(
            firstChunk: try fields.next(), samplesPerChunk: try fields.next(), descriptionIndex: try fields.next())
        readEntryCount = 1
        guard current.firstChunk == 1 else { throw box.invalid("does not start with chunk 1") }
        following = try readEntry()
    }

    /// The number of samples in a chunk.
    ///
    /// - Parameter chunk: index of the chunk, which starts at 0 and increases by one with each call.
    mutating func sampleCount(ofChunk chunk: Int) throws(ISOBMFFError) -> Int {
        if let next = following, Int(next.firstChunk) - 1 == chunk {
            current = next
            following = try readEntry()
        }
        return Int(current.samplesPerChunk)
    }

    private mutating func readEntry() throws(ISOBMFFError) -> Entry? {
        guard readEntryCount < fields.entryCount else { return nil }
        let entry = Entry(
            firstChunk: try fields.next(), samplesPerChunk: try fields.next(), descriptionIndex: try fields.next())
        guard entry.descriptionIndex == current.descriptionIndex else {
            throw ISOBMFFError(
                .unsupported, box: box.type, at: box.header.offset, "the codec's parameters change within the file")
        }
        guard entry.firstChunk > current.firstChunk else {
            throw box.invalid("entry \(readEntryCount) is out of order")
        }
        readEntryCount += 1
        return entry
    }
}

/// The positions of samples, computed from chunk offsets and samples per chunk.
private struct Chunks {
    var offsets: ChunkOffsets
    var sampleToChunk: SampleToChunk

    /// - Parameter type: an integer type wide enough for every offset in the file.
    mutating func sampleOffsets<Offset: FixedWidthInteger>(
        _ type: Offset.Type, _ byteCounts: [UInt32], fileByteCount: Int64
    ) throws(ISOBMFFError) -> [Offset] {
        let sampleCount = byteCounts.count
        let box = sampleToChunk.box
        var readCount = 0
        var chunk = 0
        let sampleOffsets = try Array(capacity: sampleCount) { (output) throws(ISOBMFFError) in
            let byteCounts = byteCounts.span
            while chunk < offsets.count, readCount < sampleCount {
                let start = try offsets.next()
                let endSample = min(readCount + (try sampleToChunk.sampleCount(ofChunk: chunk)), sampleCount)
                var offset = min(start, fileByteCount)
                for sample in readCount..<endSample {
                    output.append(Offset(truncatingIfNeeded: offset))
                    offset += Int64(byteCounts[sample])
                }
                // If the chunk ends within the file, so do all of its samples.
                guard start == min(start, fileByteCount), offset <= fileByteCount else {
                    let sample = Self.firstSample(
                        in: readCount..<endSample, byteCounts, from: start, beyond: fileByteCount)
                    throw ISOBMFFError(
                        .truncated, box: box.type, at: box.header.offset,
                        "sample \(sample.number + 1) of \(sampleCount) lies at byte \(sample.offset), beyond the end of "
                            + "the file (\(fileByteCount) bytes)")
                }
                readCount = endSample
                chunk += 1
            }
        }
        guard readCount == sampleCount else {
            throw box.invalid("the chunks hold \(readCount) of \(sampleCount) samples")
        }
        return sampleOffsets
    }

    /// The first sample of the chunk that does not end within the file; there must be one.
    private static func firstSample(
        in chunk: Range<Int>, _ byteCounts: Span<UInt32>, from start: Int64, beyond end: Int64
    ) -> (number: Int, offset: Int64) {
        var offset = start
        for sample in chunk.dropLast() {
            guard offset <= end - Int64(byteCounts[sample]) else { return (sample, offset) }
            offset += Int64(byteCounts[sample])
        }
        return (max(chunk.lowerBound, chunk.upperBound - 1), offset)
    }
}

extension Box {
    /// Reads the (count, value) runs of `stts` and `ctts`. Runs after the last sample are ignored; throws if there
    /// are samples after the last run.
    func readRuns(of sampleCount: Int, body: (_ value: UInt32, _ count: Int) -> Void) throws(ISOBMFFError) {
        var fields = try FieldReader(parsing: self, fieldsPerEntry: 2)
        var rest = sampleCount
        for _ in 0..<fields.entryCount where rest > 0 {
            let count = min(Int(try fields.next()), rest)
            body(try fields.next(), count)
            rest -= count
        }
        guard rest == 0 else { throw invalid("describes \(sampleCount - rest) of \(sampleCount) samples") }
    }
}
