import Synchronization

/// Limits how many offline copies are downloaded at a time, because each request holds pieces of its own in memory.
final class CopyPlaces: Sendable {
    /// A place, which is free again when it is released.
    final class Place: Sendable {
        private let places: CopyPlaces
        private let holder: String

        fileprivate init(_ places: CopyPlaces, _ holder: String) { (self.places, self.holder) = (places, holder) }

        deinit { places.leave(holder) }
    }

    private let taken = Mutex([String: Int]())

    /// Limit of all requests together: three pieces of 256 KiB for each.
    static let maximumCount = 256
    /// Limit of the requests for one copy on one device: clients use 16 connections at most.
    static let maximumCountOfHolder = 16

    /// Takes a place.
    ///
    /// - Parameter holder: names the copy and the device.
    /// - Returns: `nil` if there is none.
    func take(_ holder: String) -> Place? {
        let isTaken = taken.withLock { taken in
            guard taken.values.reduce(0, +) < Self.maximumCount, taken[holder, default: 0] < Self.maximumCountOfHolder
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
