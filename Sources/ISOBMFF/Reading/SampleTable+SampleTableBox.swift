import MediaCore
import NIOCore

extension SampleTable {
    /// Expands an `stbl`.
    ///
    /// - Parameters:
    ///   - fileByteCount: what every sample has to lie within.
    ///   - limit: how many samples the movie may still have.
    init(parsing sampleTableBox: Box, fileByteCount: Int64, limit: Int) throws(ISOBMFFError) {
        let children = try sampleTableBox.children()
        self.init()
        try parseSizes(children, of: sampleTableBox, fileByteCount: fileByteCount, limit: limit)
        // A fragmented file's moov has tables with nothing in them, some without stsc or stco at all.
        guard !byteCounts.isEmpty else { return }
        try parseDurations(try children.required("stts", in: sampleTableBox))
        if let ctts = children.first("ctts") { try parseCompositionOffsets(ctts) }
        if let stss = children.first("stss") { try parseSyncSamples(stss) }
        try parseOffsets(children, of: sampleTableBox, fileByteCount: fileByteCount)
    }

    /// stsz (§8.7.3.2). The compact stz2 is not written by anything that carries H.264 or AAC.
    private mutating func parseSizes(
        _ children: [Box], of parent: Box, fileByteCount: Int64, limit: Int
    ) throws(ISOBMFFError) {
        guard let box = children.first("stsz") else {
            guard children.first("stz2") == nil else {
                throw ISOBMFFError(.unsupported, box: "stz2", at: parent.header.offset, "compact sample sizes")
            }
            throw parent.invalid("has no 'stsz' inside")
        }
        var rest = try box.fullBox().rest
        let constant = try rest.readField(UInt32.self, of: box)
        let count = Int(try rest.readField(UInt32.self, of: box))
        guard count <= limit else {
            throw ISOBMFFError(
                .limitExceeded, box: box.type, at: box.header.offset,
                "\(count) samples make the movie's more than \(Self.maximumSampleCount)")
        }
        if constant != 0 {
            // Twenty bytes of stsz would otherwise have tables of any length made for them.
            guard Int64(count) * Int64(constant) <= fileByteCount else {
                throw ISOBMFFError(
                    .truncated, box: box.type, at: box.header.offset,
                    "\(count) samples of \(constant) bytes are more than the file has (\(fileByteCount) bytes)")
            }
            byteCounts = Array(repeating: constant, count: count)
        } else {
            byteCounts = try box.readTable(&rest, count: count, fieldsPerEntry: 1) { $0 }
        }
    }

    /// stts (§8.6.1.2)
    private mutating func parseDurations(_ box: Box) throws(ISOBMFFError) {
        durations = try box.expandRuns(to: byteCounts.count) { $0 }
    }

    /// ctts (§8.6.1.3). Version 0 is unsigned on paper, yet writers put negative offsets there, and no sane positive
    /// one has the highest bit set; so both versions are read as signed.
    private mutating func parseCompositionOffsets(_ box: Box) throws(ISOBMFFError) {
        compositionOffsets = try box.expandRuns(to: byteCounts.count) { Int32(bitPattern: $0) }
        if compositionOffsets.allSatisfy({ $0 == 0 }) { compositionOffsets = [] }
    }

    /// stss (§8.6.2)
    private mutating func parseSyncSamples(_ box: Box) throws(ISOBMFFError) {
        var rest = try box.fullBox().rest
        let count = Int(try rest.readField(UInt32.self, of: box))
        let numbers = try box.readTable(&rest, count: count, fieldsPerEntry: 1) { $0 }
        syncFlags = Array(repeating: false, count: byteCounts.count)
        for number in numbers {
            guard number >= 1, number <= byteCounts.count else {
                throw box.invalid("names sync sample \(number) of \(byteCounts.count)")
            }
            syncFlags[Int(number) - 1] = true
        }
        if syncFlags.allSatisfy(\.self) { syncFlags = [] }
    }

    /// stsc with stco or co64 (§8.7.4, §8.7.5)
    private mutating func parseOffsets(
        _ children: [Box], of parent: Box, fileByteCount: Int64
    ) throws(ISOBMFFError) {
        let chunkOffsets: [Int64]
        if let box = children.first("stco") {
            var rest = try box.fullBox().rest
            let count = Int(try rest.readField(UInt32.self, of: box))
            chunkOffsets = try box.readTable(&rest, count: count, fieldsPerEntry: 1) { Int64($0) }
        } else {
            let box = try children.required("co64", in: parent)
            var rest = try box.fullBox().rest
            let count = Int(try rest.readField(UInt32.self, of: box))
            let words = try box.readTable(&rest, count: count, fieldsPerEntry: 2) { $0 }
            chunkOffsets = (0..<count).map { Int64(clamping: UInt64(words[$0 * 2]) << 32 | UInt64(words[$0 * 2 + 1])) }
        }
        let map = try SampleToChunk(parsing: try children.required("stsc", in: parent))
        offsets = try map.sampleOffsets(
            chunkOffsets: chunkOffsets, byteCounts: byteCounts, fileByteCount: fileByteCount)
    }
}

/// stsc: how many samples the chunks have (§8.7.4).
private struct SampleToChunk {
    private var box: Box
    /// First chunk (from 1), samples per chunk, sample description index.
    private var words: [UInt32]

    init(parsing box: Box) throws(ISOBMFFError) {
        self.box = box
        var rest = try box.fullBox().rest
        let count = Int(try rest.readField(UInt32.self, of: box))
        words = try box.readTable(&rest, count: count, fieldsPerEntry: 3) { $0 }
        guard count > 0, words[0] == 1 else { throw box.invalid("does not start with chunk 1") }
        for entry in 0..<count {
            guard words[entry * 3 + 2] == words[2] else {
                throw ISOBMFFError(
                    .unsupported, box: box.type, at: box.header.offset, "the codec's parameters change in mid-file")
            }
            guard entry == 0 || words[entry * 3] > words[entry * 3 - 3] else {
                throw box.invalid("entry \(entry) is out of order")
            }
        }
    }

    func sampleOffsets(
        chunkOffsets: [Int64], byteCounts: [UInt32], fileByteCount: Int64
    ) throws(ISOBMFFError) -> [Int64] {
        var offsets: [Int64] = []
        offsets.reserveCapacity(byteCounts.count)
        let entryCount = words.count / 3
        for entry in 0..<entryCount {
            let firstChunk = Int(words[entry * 3]) - 1
            let nextChunk = entry + 1 < entryCount ? Int(words[entry * 3 + 3]) - 1 : chunkOffsets.count
            let samplesPerChunk = Int(words[entry * 3 + 1])
            for chunk in firstChunk..<max(firstChunk, min(nextChunk, chunkOffsets.count)) {
                var offset = chunkOffsets[chunk]
                for _ in 0..<min(samplesPerChunk, byteCounts.count - offsets.count) {
                    let byteCount = Int64(byteCounts[offsets.count])
                    guard offset >= 0, offset <= fileByteCount - byteCount else {
                        throw ISOBMFFError(
                            .truncated, box: box.type, at: box.header.offset,
                            "sample \(offsets.count + 1) of \(byteCounts.count) lies at byte \(offset), beyond the "
                                + "end of the file (\(fileByteCount) bytes)")
                    }
                    offsets.append(offset)
                    offset += byteCount
                }
                if offsets.count == byteCounts.count { return offsets }
            }
        }
        throw box.invalid("the chunks hold \(offsets.count) of \(byteCounts.count) samples")
    }
}

extension Box {
    /// `count` entries of 32-bit fields, each field converted by `convert`.
    func readTable<T>(
        _ rest: inout ByteBuffer, count: Int, fieldsPerEntry: Int, convert: (UInt32) -> T
    ) throws(ISOBMFFError) -> [T] {
        let fieldCount = count * fieldsPerEntry
        guard fieldCount * 4 <= rest.readableBytes else {
            throw invalid("claims \(count) entries, but has \(rest.readableBytes) bytes for them")
        }
        return rest.withUnsafeReadableBytes { bytes in
            Array(unsafeUninitializedCapacity: fieldCount) { target, initializedCount in
                for index in 0..<fieldCount {
                    let word = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                    target.initializeElement(at: index, to: convert(word))
                }
                initializedCount = fieldCount
            }
        }
    }

    /// stts and ctts: runs of (count, value), expanded to one value a sample. Runs beyond the last sample are
    /// ignored; samples beyond the last run are an error.
    func expandRuns<T>(to sampleCount: Int, convert: (UInt32) -> T) throws(ISOBMFFError) -> [T] {
        var rest = try fullBox().rest
        let runCount = Int(try rest.readField(UInt32.self, of: self))
        let words = try readTable(&rest, count: runCount, fieldsPerEntry: 2) { $0 }
        var values: [T] = []
        values.reserveCapacity(sampleCount)
        for run in 0..<runCount {
            let count = min(Int(words[run * 2]), sampleCount - values.count)
            let value = convert(words[run * 2 + 1])
            if count == 1 {
                values.append(value)
            } else {
                values.append(contentsOf: repeatElement(value, count: count))
            }
        }
        guard values.count == sampleCount else {
            throw invalid("describes \(values.count) of \(sampleCount) samples")
        }
        return values
    }
}
