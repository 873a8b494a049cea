/// The sender of an upload. Members share places and room of their own, so that they cannot take those of operators.
package enum UploadSender: Sendable, Hashable {
    /// Operators, who may add to the station's library.
    case operators
    /// A member, by the ID of the account.
    case member(String)

    /// Limit on unfinished uploads of all operators, and on those of all members, because each takes disk space without
    /// being of use yet.
    static let maximumUnfinishedCount = 64

    /// Limit on unfinished uploads of this sender alone.
    var maximumOwnCount: Int {
        switch self {
        case .operators: Self.maximumUnfinishedCount
        // One that is being sent, and some whose connection has broken off.
        case .member: 8
        }
    }

    /// The member's account; `nil` for operators.
    var member: String? {
        switch self {
        case .operators: nil
        case .member(let id): id
        }
    }

    /// Whether both draw on the same places.
    package func sharesPlaces(with other: UploadSender) -> Bool {
        switch (self, other) {
        case (.operators, .operators), (.member, .member): true
        case (.operators, .member), (.member, .operators): false
        }
    }
}

extension Upload {
    /// The sender of the file.
    var sender: UploadSender { member.map(UploadSender.member) ?? .operators }

    /// The bytes that the disk has to have free for the rest of the file.
    ///
    /// An operator's announcement is believed. A member is promised as much again as has come, and a piece, so that
    /// announcements without bytes keep nobody out.
    ///
    /// - Parameter receivedByteCount: the bytes that have come.
    func promisedByteCount(after receivedByteCount: Int64) -> Int64 {
        let rest = max(0, byteCount - receivedByteCount)
        return switch sender {
        case .operators: rest
        case .member: min(rest, receivedByteCount + Self.promisedPieceByteCount)
        }
    }

    private static let promisedPieceByteCount: Int64 = 64 << 20
}
