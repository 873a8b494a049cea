/// Calls that have ended. They are told outside the cache's lock.
struct CacheOutcome: Sendable {
    private var ended: [(call: CacheCall, result: Result<Void, any Error>)] = []

    mutating func add(_ call: CacheCall, _ result: Result<Void, any Error>) { ended.append((call, result)) }

    func tell() {
        for (call, result) in ended { call.then(result) }
    }
}
