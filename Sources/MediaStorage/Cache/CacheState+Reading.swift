extension CacheState {
    /// - Returns: Whether all blocks are present, and have been leased.
    mutating func beginReading(_ ranges: [Range<Int64>], of number: Int) -> Bool {
        guard let entry = entries[number], let runs = blocks(of: ranges, entry) else { return false }
        for run in runs {
            for index in run {
                let block = entry.blocks[index]
                guard block >= 0, list[block].state == .present else {
                    statistics.missCount += 1
                    return false
                }
            }
        }
        for run in runs {
            for index in run {
                let block = entry.blocks[index]
                if list[block].leaseCount == 0 { list.unlink(block) }
                list[block].leaseCount += 1
            }
        }
        statistics.hitCount += 1
        for run in runs { noteAccess(run, of: number) }
        return true
    }

    mutating func endReading(_ ranges: [Range<Int64>], of number: Int) {
        guard let entry = entries[number], let runs = blocks(of: ranges, entry) else { return }
        for run in runs {
            for index in run {
                let block = entry.blocks[index]
                precondition(block >= 0 && list[block].leaseCount > 0, "endReading without beginReading")
                list[block].leaseCount -= 1
                if list[block].leaseCount == 0 { list.append(block) }
            }
        }
        removeIfUnused(number)
    }

    /// True if requests wait that could run.
    var hasRequests: Bool { !awaited.isEmpty || !readAhead.isEmpty || !unusedFiles.isEmpty }

    /// Queues what a sequential reader needs next.
    mutating func noteAccess(_ run: ClosedRange<Int>, of number: Int) {
        guard let entry = entries[number], !entry.isForgotten else { return }
        let ahead = entries[number]?.access.access(
            run, blockCount: entry.blocks.count, maximumWindow: settings.maximumReadAheadBlockCount)
        guard let ahead, !ahead.isEmpty, !isStopped else { return }
        queueReadAhead(ahead, of: number)
    }

    /// Queues the range that a reader has announced, within the limit of reading ahead.
    mutating func prefetch(_ ranges: [Range<Int64>], of number: Int) -> CacheOutcome {
        if !isStopped, let entry = entries[number], !entry.isForgotten, let runs = blocks(of: ranges, entry) {
            let blocks = Set(runs.joined()).sorted().prefix(settings.maximumReadAheadBlockCount)
            for run in Self.runs(Array(blocks)) { queueReadAhead(run, of: number) }
        }
        return CacheOutcome()
    }

    private mutating func queueReadAhead(_ range: Range<Int>, of number: Int) {
        for blocks in absent(range, of: number)
        where readAhead.count < settings.maximumQueuedReadAheadCount {
            for index in blocks { _ = addBlock(number, index, .queued) }
            readAhead.append(CacheRequest(object: number, blocks: blocks, isAwaited: false))
        }
    }

    /// The runs of absent blocks, cut to what one request fetches.
    func absent(_ range: Range<Int>, of number: Int) -> [Range<Int>] {
        guard let entry = entries[number] else { return [] }
        var runs: [Range<Int>] = []
        for index in range where entry.blocks[index] < 0 {
            if let last = runs.last, last.upperBound == index, last.count < settings.maximumBlocksPerRequest {
                runs[runs.count - 1] = last.lowerBound..<(index + 1)
            } else {
                runs.append(index..<(index + 1))
            }
        }
        return runs
    }
}
