package import APIContract
package import APIDeclarations

/// The tables of `antena me show`, `antena me session list` and `antena token list`.
package enum AccountTables {
    package static func account(_ account: APIObject<AccountFields>) -> String {
        let fields = AccountFields.fields
        return ObjectTable.fields(
            of: account,
            [
                fields.username, fields.email, fields.emailConfirmedAt, fields.name, fields.mobile, fields.city,
                fields.country, fields.language, fields.role, fields.state, fields.suspendedUntil, fields.createdAt,
                fields.lastLogInAt,
            ])
    }

    /// - Parameters:
    ///   - sessions: the rows.
    ///   - nothing: the text instead of a table without rows.
    package static func sessions(_ sessions: [APIObject<SessionFields>], nothing: String) -> String {
        var table = TextTable("ID", "THIS", "DEVICE", "ADDRESS", "CREATED", "LAST USED", "EXPIRES")
        for session in sessions {
            table.add(
                session.id ?? "-", session.isThis == true ? "yes" : "", TextTable.short(session.device ?? "-"),
                session.address ?? "-", session.createdAt?.text ?? "-", session.lastUsedAt?.text ?? "-",
                session.expiresAt?.text ?? "-")
        }
        return table.isEmpty ? nothing : table.text
    }

    /// - Parameters:
    ///   - tokens: the rows.
    ///   - nothing: the text instead of a table without rows.
    package static func tokens(_ tokens: [APIObject<TokenFields>], nothing: String) -> String {
        var table = TextTable("ID", "KIND", "NAME", "PERMISSIONS", "CHANNELS", "EXPIRES", "LAST USED")
        for token in tokens {
            table.add(
                token.id ?? "-", token.kind ?? "-", token.name ?? "-",
                TextTable.short(token.permissions?.joined(separator: ",") ?? "-"),
                TextTable.short(token.channels?.joined(separator: ",") ?? "all"), token.expiresAt?.text ?? "-",
                token.lastUsedAt?.text ?? "-")
        }
        return table.isEmpty ? nothing : table.text
    }
}
