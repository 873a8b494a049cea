extension CacheState {
    /// Adds a call, and the requests for what is missing.
    mutating func fetch(
        _ ranges: [Range<Int64>], of number: Int, at now: Duration,
        then: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> CacheOutcome {
        var outcome = CacheOutcome()
        var call = CacheCall(missingCount: 0, then: then)
        do {
            let missing = try missingBlocks(of: ranges, number, at: now)
            guard !missing.isEmpty else {
                outcome.add(call, .success(()))
                return outcome
            }
            nextCall += 1
            call.missingCount = missing.count
            calls[nextCall] = call
            for run in Self.runs(missing).flatMap({ absent($0, of: number) }) {
                for index in run { _ = addBlock(number, index, .queued) }
                awaited.append(CacheRequest(object: number, blocks: run, isAwaited: true))
            }
            for index in missing {
                guard let block = entries[number]?.blocks[index], block >= 0 else { continue }
                list[block].waiters.append(nextCall)
                if list[block].state == .queued { promote(number, index) }
            }
            if let entry = entries[number], let runs = blocks(of: ranges, entry) {
                for run in runs { noteAccess(run, of: number) }
            }
        } catch {
            outcome.add(call, .failure(error))
        }
        return outcome
    }

    /// The blocks that are not present, in ascending order.
    func missingBlocks(of ranges: [Range<Int64>], _ number: Int, at now: Duration) throws -> [Int] {
        guard !isStopped else { throw MediaStorageError(.shutDown, "the cache has been shut down") }
        guard let entry = entries[number], let runs = blocks(of: ranges, entry) else {
            throw MediaStorageError(.invalidRequest, "the range lies outside the object")
        }
        let missing = Set(runs.joined()).filter {
            entry.blocks[$0] < 0 || list[entry.blocks[$0]].state != .present
        }
        guard !missing.isEmpty else { return [] }
        guard Int64(missing.count) * blockByteCount <= configuredByteCount else {
            throw MediaStorageError(
                .invalidRequest, "the cache is smaller than the requested range", operation: "read", key: entry.key)
        }
        guard !breaker.isOpen(at: now) else { throw Self.away(entry.key) }
        guard calls.count < settings.maximumWaitingCallCount else {
            throw MediaStorageError(
                .busy, "\(calls.count) requests are already waiting for the store; try again later", operation: "read",
                key: entry.key)
        }
        return missing.sorted()
    }

    static func away(_ key: String?) -> MediaStorageError {
        MediaStorageError(
            .unavailable, "the store has stopped answering; requests resume in a few seconds", operation: "read",
            key: key)
    }

    static func runs(_ numbers: [Int]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound == number {
                runs[runs.count - 1] = last.lowerBound..<(number + 1)
            } else {
                runs.append(number..<(number + 1))
            }
        }
        return runs
    }

    /// Moves a request that somebody waits for now before those that read ahead.
    mutating func promote(_ number: Int, _ index: Int) {
        let position = readAhead.firstIndex { $0.object == number && $0.blocks.contains(index) }
        guard let position else { return }
        var request = readAhead.remove(at: position)
        request.isAwaited = true
        awaited.append(request)
    }
}
