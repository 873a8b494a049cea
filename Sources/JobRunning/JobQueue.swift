/// The waiting jobs, in the order in which they will run: by the rank of their kind, then by priority, then as they
/// came.
struct JobQueue: Sendable {
    private struct Rank: Hashable, Comparable {
        var kind: Int
        var priority: Int

        static func < (first: Rank, second: Rank) -> Bool {
            (first.kind, -first.priority) < (second.kind, -second.priority)
        }
    }

    private struct Place {
        var lane: JobLane
        var rank: Rank
    }

    private var waiting: [JobLane: [Rank: FirstInFirstOut]] = [:]
    private var places: [JobKey: Place] = [:]

    var count: Int { places.count }

    func contains(_ key: JobKey) -> Bool { places[key] != nil }

    /// Adds a job, which must not wait already.
    ///
    /// - Parameters:
    ///   - rank: the rank of its kind.
    ///   - priority: jobs of the same rank with a higher priority run first.
    mutating func append(_ job: LibraryJob, rank: Int, priority: Int) {
        let place = Place(lane: job.lane, rank: Rank(kind: rank, priority: priority))
        places[job.key] = place
        waiting[place.lane, default: [:]][place.rank, default: FirstInFirstOut()].append(job)
    }

    /// Removes a waiting job.
    ///
    /// - Returns: `nil` if the job does not wait.
    @discardableResult
    mutating func remove(_ key: JobKey) -> LibraryJob? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        let job = waiting[place.lane]?[place.rank]?.remove(key)
        dropIfEmpty(place)
        return job
    }

    /// Moves a waiting job to the end of the jobs with that priority. Has no effect on other jobs.
    mutating func move(_ key: JobKey, toPriority priority: Int) {
        guard let place = places[key], place.rank.priority != priority, let job = remove(key) else { return }
        append(job, rank: place.rank.kind, priority: priority)
    }

    /// Removes the first job of a lane; `nil` if none waits there.
    mutating func popFirst(in lane: JobLane) -> LibraryJob? {
        guard let rank = waiting[lane]?.keys.min(), let job = waiting[lane]?[rank]?.popFirst() else { return nil }
        places[job.key] = nil
        dropIfEmpty(Place(lane: lane, rank: rank))
        return job
    }

    private mutating func dropIfEmpty(_ place: Place) {
        if waiting[place.lane]?[place.rank]?.jobs.isEmpty == true { waiting[place.lane]?[place.rank] = nil }
    }

    /// The waiting jobs of a lane, in the order in which they will run.
    func jobs(in lane: JobLane) -> [LibraryJob] {
        (waiting[lane] ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value.jobs)
    }

    /// All waiting jobs, lane by lane.
    var jobs: [LibraryJob] { JobLane.allCases.flatMap { jobs(in: $0) } }
}

/// A queue that appends and removes in amortized constant time.
private struct FirstInFirstOut {
    private var storage: [LibraryJob] = []
    private var start = 0

    var jobs: ArraySlice<LibraryJob> { storage[start...] }

    mutating func append(_ job: LibraryJob) { storage.append(job) }

    /// Removes a job in linear time; only operators cause this.
    mutating func remove(_ key: JobKey) -> LibraryJob? {
        storage.removeFirst(start)
        start = 0
        return storage.firstIndex { $0.key == key }.map { storage.remove(at: $0) }
    }

    mutating func popFirst() -> LibraryJob? {
        guard start < storage.count else { return nil }
        defer {
            start += 1
            if start * 2 > storage.count {
                storage.removeFirst(start)
                start = 0
            }
        }
        return storage[start]
    }
}
