import MediaIntake

/// The requests for images that are carried out, by who asks. Each starts a worker; operators and members do not take
/// each other's places.
struct ImageRequests {
    /// Limit on requests of operators at the same time, and on those of all members.
    let maximumCount: Int
    private var counts: [UploadSender: Int] = [:]

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// Takes a place, which ``end(_:)`` gives back.
    ///
    /// - Returns: false if there is no place. A member has one.
    mutating func begin(_ sender: UploadSender) -> Bool {
        let count = counts.reduce(0) { $0 + ($1.key.sharesPlaces(with: sender) ? $1.value : 0) }
        guard count < maximumCount, sender == .operators || counts[sender] == nil else { return false }
        counts[sender, default: 0] += 1
        return true
    }

    mutating func end(_ sender: UploadSender) {
        let left = counts[sender, default: 0] - 1
        counts[sender] = left > 0 ? left : nil
    }
}
