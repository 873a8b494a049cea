/// The amounts that senders have taken of something scarce, such as memory or workers. Operators and members do not
/// take each other's.
package struct SenderShares: Sendable {
    private let limit: Int
    private let memberLimit: Int
    private var taken: [UploadSender: Int] = [:]

    /// - Parameters:
    ///   - limit: limit on what all operators take together, and on what all members do.
    ///   - memberLimit: limit on what one member takes.
    package init(limit: Int, ofMember memberLimit: Int) { (self.limit, self.memberLimit) = (limit, memberLimit) }

    /// Takes an amount, which ``giveBack(_:of:)`` gives back.
    ///
    /// - Parameters:
    ///   - amount: the amount.
    ///   - sender: who takes it.
    /// - Returns: `false` if it is not there.
    package mutating func take(_ amount: Int = 1, for sender: UploadSender) -> Bool {
        let own = taken[sender, default: 0]
        let all = taken.reduce(0) { $0 + ($1.key.sharesPlaces(with: sender) ? $1.value : 0) }
        guard amount <= limit - all, sender == .operators || amount <= memberLimit - own else { return false }
        taken[sender] = own + amount
        return true
    }

    /// Gives an amount back.
    ///
    /// - Parameters:
    ///   - amount: the amount that was taken.
    ///   - sender: who has taken it.
    package mutating func giveBack(_ amount: Int = 1, of sender: UploadSender) {
        let left = taken[sender, default: 0] - amount
        taken[sender] = left > 0 ? left : nil
    }
}
