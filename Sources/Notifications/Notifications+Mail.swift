package import Accounts
import Crypto
import Database
import MediaCore

extension Notifications {
    /// Takes what is to be told by mail now. What was taken is not told again, even if the server stops before the mail
    /// is sent.
    ///
    /// - Parameter limit: number of mails.
    /// - Throws: `SQLError`
    package func takeMail(limit: Int) async throws -> [NotificationDigest] {
        let now = now
        let receivers = try await database.read { db in try MailRows.receivers(at: now, limit: limit, db) }
        var digests: [NotificationDigest] = []
        for receiver in receivers {
            let digest = try await database.write { db -> NotificationDigest? in
                guard var digest = try MailRows.take(receiver, at: now, db) else { return nil }
                digest.notifications = try Self.filled(digest.notifications, reader: receiver, db)
                // Notifications about removed items are left out.
                digest.notifications.removeAll { $0.items.isEmpty }
                return digest.notifications.isEmpty ? nil : digest
            }
            if let digest { digests.append(digest) }
        }
        return digests
    }

    /// The code with which the receiver of a member's mail ends it without logging in. It stays valid.
    package func unsubscribeCode(of user: UserID) -> String {
        HMAC<SHA256>.authenticationCode(for: Self.unsubscribeText(user), using: key).hexadecimalDigits
    }

    private static func unsubscribeText(_ user: UserID) -> [UInt8] { Array("no mail/\(user)".utf8) }

    /// Ends the notifications of a member by mail.
    ///
    /// - Parameters:
    ///   - user: the member.
    ///   - code: what the link in the mail has.
    /// - Returns: `false` if the code is wrong, or there is no such member.
    package func endMail(of user: UserID, code: String) async throws -> Bool {
        guard let bytes = [UInt8](hexadecimalDigits: code),
            HMAC<SHA256>.isValidAuthenticationCode(bytes, authenticating: Self.unsubscribeText(user), using: key)
        else { return false }
        return try await database.write { db in
            guard try AccountReferences.exists(user, db) else { return false }
            var preferences = try PreferenceRows.preferences(of: user, db)
            for group in NotificationGroup.allCases { preferences[group].remove(.mail) }
            try PreferenceRows.set(preferences, of: user, db)
            try db.execute("UPDATE notification SET mailDueAt = NULL WHERE receiverID = ?1", .text(user.text))
            return true
        }
    }
}
