package import MediaCore

/// Limits log-ins for each address and for each account, so that passwords cannot be guessed, and so that strangers
/// cannot lock out the owner of an account.
///
/// Attempts from an address from which the account's owner has logged in before count apart from those of strangers:
/// an attacker of the account from elsewhere uses up the strangers' attempts only. Attempts are counted before the
/// password is checked, and taken back if it was right, so that many at once do not pass.
package struct LogInLimiter: Sendable {
    private struct FamiliarKey: Hashable {
        var account: String
        var address: AddressGroup
    }

    /// 15 attempts in 5 minutes, with pauses of 1, 2, 4, … seconds between them after the fifth.
    package static let limits = AttemptLimits(maximumCount: 15, window: .seconds(300), freeCount: 5)

    private var addresses: AttemptLimiter<AddressGroup>
    private var accounts: AttemptLimiter<String>
    private var familiar: AttemptLimiter<FamiliarKey>

    package init() {
        addresses = AttemptLimiter(Self.limits)
        accounts = AttemptLimiter(Self.limits)
        familiar = AttemptLimiter(Self.limits)
    }

    /// Counts an attempt, if it is allowed.
    ///
    /// - Parameters:
    ///   - address: the address that the attempt comes from.
    ///   - account: the account's identity, or what was typed if there is none.
    ///   - isFamiliar: whether the account's owner has logged in from this address before.
    ///   - now: the time since the limiter's start.
    /// - Returns: the time until the next attempt is allowed; `nil` if this one was allowed.
    package mutating func admit(
        _ address: AddressGroup, account: String, isFamiliar: Bool, now: Duration
    ) -> Duration? {
        let key = FamiliarKey(account: account, address: address)
        let waits = [
            addresses.wait(for: address, now: now),
            isFamiliar ? familiar.wait(for: key, now: now) : accounts.wait(for: account, now: now),
        ].compactMap(\.self)
        if let longest = waits.max() { return longest }
        addresses.count(address, now: now)
        if isFamiliar {
            familiar.count(key, now: now)
        } else {
            accounts.count(account, now: now)
        }
        return nil
    }

    /// Takes back an attempt whose password was right.
    package mutating func succeeded(_ address: AddressGroup, account: String, isFamiliar: Bool) {
        addresses.takeBack(address)
        if isFamiliar {
            familiar.takeBack(FamiliarKey(account: account, address: address))
        } else {
            accounts.takeBack(account)
        }
    }
}
