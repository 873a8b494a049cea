package import Database
package import MediaCore

/// Is told of each deed in the transaction that writes it. An error undoes the transaction.
package typealias DeedObserver =
    @Sendable (_ deed: CommunityDeed, _ time: WallClockTime, _ db: any SQLConnection) throws -> Void
