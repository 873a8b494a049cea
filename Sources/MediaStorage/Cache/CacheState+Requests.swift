extension CacheState {
    // MARK: Requests
    /// Takes the next request that may run.
    ///
    /// - Returns: The request with the space that must be made first, and the calls that have failed; `nil` if there is
    ///   nothing to do now.
    mutating func takeRequest(at now: Duration) -> (work: CacheWork?, outcome: CacheOutcome)? {
        var outcome = CacheOutcome()
        if breaker.isOpen(at: now) {
            guard !awaited.isEmpty || !readAhead.isEmpty else { return nil }
            dropRequests(&outcome) { Self.away($0) }
            return (nil, outcome)
        }
        guard runningCount < settings.maximumRequestCount else { return nil }
        if let position = awaited.firstIndex(where: fitsObject) {
            let request = awaited[position]
            guard breaker.admits(at: now) else { return nil }
            guard let evicted = makeRoom(for: request, at: now) else {
                breaker.abandoned(at: now)
                return nil
            }
            awaited.remove(at: position)
            return (start(request, evicted), outcome)
        }
        guard runningReadAheadCount < settings.maximumReadAheadRequestCount,
            let position = readAhead.firstIndex(where: fitsObject)
        else { return nil }
        guard breaker.admits(at: now) else { return nil }
        let request = readAhead.remove(at: position)
        guard let evicted = makeRoom(for: request, at: now) else {
            breaker.abandoned(at: now)
            // Nobody waits for it.
            fail(request, &outcome, MediaStorageError(.busy, "the cache is full"))
            return (nil, outcome)
        }
        return (start(request, evicted), outcome)
    }

    func fitsObject(_ request: CacheRequest) -> Bool {
        guard let entry = entries[request.object] else { return false }
        return entry.byteCountInFlight == 0
            || entry.byteCountInFlight + Int64(request.blocks.count) * blockByteCount
                <= settings.maximumObjectByteCountInFlight
    }

    mutating func start(_ request: CacheRequest, _ evicted: [CacheWork.Eviction]) -> CacheWork? {
        guard let entry = entries[request.object] else { return nil }
        runningCount += 1
        if !request.isAwaited { runningReadAheadCount += 1 }
        for index in request.blocks {
            let block = entry.blocks[index]
            list[block].state = .fetching
            usedByteCount += Int64(list[block].byteCount)
            entries[request.object]?.byteCountInFlight += Int64(list[block].byteCount)
        }
        let start = Int64(request.blocks.lowerBound) * blockByteCount
        let end = min(entry.byteCount, Int64(request.blocks.upperBound) * blockByteCount)
        return CacheWork(
            request: request, key: entry.key, version: entry.version, path: entry.path, range: start..<end,
            evictions: evicted)
    }

    /// The bytes that the cache may take now.
    func maximumByteCount(at now: Duration) -> Int64 {
        guard let reduced, now < reduced.until else { return configuredByteCount }
        return reduced.byteCount
    }

    /// Chooses blocks to evict.
    ///
    /// - Returns: The blocks, which are on their way out now; `nil` if there is no room because all others are in use.
    mutating func makeRoom(for request: CacheRequest, at now: Duration) -> [CacheWork.Eviction]? {
        let needed = request.blocks.reduce(Int64(0)) { sum, index in
            sum + Int64(entries[request.object].map { list[$0.blocks[index]].byteCount } ?? 0)
        }
        return evict(usedByteCount + needed - maximumByteCount(at: now))
    }

    /// Sends the least recently used blocks on their way out.
    mutating func evict(_ byteCount: Int64) -> [CacheWork.Eviction]? {
        var victims: [Int] = []
        var freed: Int64 = 0
        while freed < byteCount {
            guard let block = list.leastRecentlyUsed else {
                // In the order in which they were.
                for victim in victims { list.append(victim) }
                return nil
            }
            list.unlink(block)
            victims.append(block)
            freed += Int64(list[block].byteCount)
        }
        return victims.map { block in
            list[block].state = .evicting
            statistics.presentByteCount -= Int64(list[block].byteCount)
            return CacheWork.Eviction(
                block: block, path: entries[list[block].object]?.path ?? "",
                offset: Int64(list[block].index) * blockByteCount, byteCount: blockByteCount)
        }
    }

    /// The space of blocks has been given back.
    mutating func finish(_ evictions: [CacheWork.Eviction]) {
        for eviction in evictions {
            usedByteCount -= Int64(list[eviction.block].byteCount)
            statistics.evictionCount += 1
            guard !list[eviction.block].waiters.isEmpty else {
                removeBlock(eviction.block)
                continue
            }
            // A call wants it back.
            list[eviction.block].state = .queued
            let (number, index) = (list[eviction.block].object, list[eviction.block].index)
            awaited.append(CacheRequest(object: number, blocks: index..<(index + 1), isAwaited: true))
        }
    }

    /// A block has been written.
    mutating func complete(_ index: Int, of request: CacheRequest) -> CacheOutcome {
        var outcome = CacheOutcome()
        guard let block = entries[request.object]?.blocks[index] else { return outcome }
        let waiters = list[block].waiters
        list[block].waiters = []
        list[block].state = .present
        list.append(block)
        let size = Int64(list[block].byteCount)
        entries[request.object]?.byteCountInFlight -= size
        statistics.presentByteCount += size
        statistics.fetchedByteCount += size
        for id in waiters {
            calls[id]?.missingCount -= 1
            if calls[id]?.missingCount == 0, let call = calls.removeValue(forKey: id) {
                outcome.add(call, .success(()))
            }
        }
        return outcome
    }

    /// A request has ended.
    ///
    /// - Parameter error: Why blocks are missing; `nil` if none are.
    mutating func end(
        _ request: CacheRequest, _ error: (any Error)?, started: Duration, firstBlock: Duration?, at now: Duration
    ) -> CacheOutcome {
        var outcome = CacheOutcome()
        runningCount -= 1
        if !request.isAwaited { runningReadAheadCount -= 1 }
        statistics.requestCount += 1
        statistics.requestDuration += now - started
        statistics.firstBlockDuration += (firstBlock ?? now) - started
        if let error {
            if !(error is CancellationError) { statistics.errorCount += 1 }
            switch (error as? MediaStorageError)?.code {
            case .unavailable?, .noCredentials?: breaker.failed(at: now)
            // The disk or this process is the problem, and nothing is known about the store.
            case .localFile?, .busy?, .shutDown?, nil: breaker.abandoned(at: now)
            default: breaker.succeeded()
            }
            fail(request, &outcome, error)
        } else {
            breaker.succeeded()
        }
        removeIfUnused(request.object)
        return outcome
    }

    /// Removes the blocks of a request that are not present, and fails the calls that wait for them.
    mutating func fail(_ request: CacheRequest, _ outcome: inout CacheOutcome, _ error: any Error) {
        for index in request.blocks {
            guard let block = entries[request.object]?.blocks[index], block >= 0 else { continue }
            switch list[block].state {
            case .present, .evicting: continue
            case .queued: break
            case .fetching:
                usedByteCount -= Int64(list[block].byteCount)
                entries[request.object]?.byteCountInFlight -= Int64(list[block].byteCount)
            }
            for id in list[block].waiters {
                if let call = calls.removeValue(forKey: id) { outcome.add(call, .failure(error)) }
            }
            removeBlock(block)
        }
    }

    mutating func dropRequests(_ outcome: inout CacheOutcome, _ error: (String?) -> MediaStorageError) {
        let requests = awaited + readAhead
        (awaited, readAhead) = ([], [])
        for request in requests { fail(request, &outcome, error(entries[request.object]?.key)) }
    }

    // MARK: The disk and the end
    /// The disk is full: makes the cache smaller for a while.
    ///
    /// - Returns: The blocks to give back, as many as there are.
    mutating func shrink(at now: Duration) -> [CacheWork.Eviction] {
        let bound = max(0, usedByteCount - max(settings.diskFullReserveByteCount, usedByteCount / 10))
        reduced = (bound, now + settings.diskFullTime)
        var evictions: [CacheWork.Eviction] = []
        while usedByteCount - Int64(evictions.count) * blockByteCount > bound, let one = evict(1) { evictions += one }
        return evictions
    }

    /// Chooses blocks to evict if the cache holds more than it may.
    mutating func evictSurplus(at now: Duration) -> [CacheWork.Eviction] {
        evict(usedByteCount - maximumByteCount(at: now)) ?? []
    }

    /// Refuses new calls, and fails those that wait.
    mutating func stop() -> CacheOutcome {
        isStopped = true
        var outcome = CacheOutcome()
        dropRequests(&outcome) { MediaStorageError(.shutDown, "the cache has been shut down", key: $0) }
        for call in calls.values {
            outcome.add(call, .failure(MediaStorageError(.shutDown, "the cache has been shut down")))
        }
        calls = [:]
        return outcome
    }

    func statistics(at now: Duration) -> RangeCacheStatistics {
        var result = statistics
        result.waitingCallCount = calls.count
        result.isStoreAway = breaker.isOpen(at: now)
        result.maximumByteCount = maximumByteCount(at: now)
        return result
    }
}
