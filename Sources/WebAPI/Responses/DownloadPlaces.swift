import Synchronization

/// Limits how many large downloads there are at a time, because each request holds pieces of its own in memory.
final class DownloadPlaces: Sendable {
    /// A place, which is free again when it is released.
    final class Place: Sendable {
        private let places: DownloadPlaces
        private let holder: String

        fileprivate init(_ places: DownloadPlaces, _ holder: String) { (self.places, self.holder) = (places, holder) }

        deinit { places.leave(holder) }
    }

    private let taken = Mutex([String: Int]())

    private let maximumCount: Int
    private let maximumCountOfHolder: Int

    /// - Parameters:
    ///   - maximumCount: the limit of all downloads together.
    ///   - maximumCountOfHolder: the limit of the downloads of one holder.
    init(maximumCount: Int, maximumCountOfHolder: Int) {
        (self.maximumCount, self.maximumCountOfHolder) = (maximumCount, maximumCountOfHolder)
    }

    /// Takes a place.
    ///
    /// - Parameter holder: names who downloads, or what.
    /// - Returns: `nil` if there is none.
    func take(_ holder: String) -> Place? {
        let isTaken = taken.withLock { taken in
            guard taken.values.reduce(0, +) < maximumCount, taken[holder, default: 0] < maximumCountOfHolder
            else { return false }
            taken[holder, default: 0] += 1
            return true
        }
        return isTaken ? Place(self, holder) : nil
    }

    private func leave(_ holder: String) {
        taken.withLock { taken in
            let left = (taken[holder] ?? 1) - 1
            taken[holder] = left > 0 ? left : nil
        }
    }
}
