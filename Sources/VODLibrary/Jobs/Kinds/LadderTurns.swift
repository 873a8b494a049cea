/// Divides the cores among the workers.
struct LadderTurns: Sendable, Hashable {
    /// Number of workers that run at the same time.
    let workerCount: Int
    private let count: Int
    private let coreCount: Int

    /// - Parameters:
    ///   - count: the number of chunks, each with about the same amount of work.
    ///   - workerCount: the maximum number of workers at the same time.
    init(count: Int, workerCount: Int, coreCount: Int) {
        self.count = count
        self.coreCount = max(1, coreCount)
        self.workerCount = min(max(1, workerCount), count)
    }

    /// The number of threads for a turn. While all cores are busy with chunks of their own, each worker has its share
    /// of them, so that no thread waits for another. The last turns get threads for all cores, because it is not known
    /// whose neighbours finish first, and their cores would be idle.
    func threadCount(ofTurn turn: Int) -> Int {
        turn >= count - workerCount ? coreCount : max(1, coreCount / max(1, workerCount))
    }
}
