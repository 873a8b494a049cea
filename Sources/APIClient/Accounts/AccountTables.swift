package import JSONDocument

/// The tables of `antena user list`, `antena token list`, `antena link list` and `antena audit`.
package enum AccountTables {
    /// - Parameter users: accounts in the API's representation.
    package static func users(_ users: [JSONNode]) -> String {
        var table = TextTable("USERNAME", "ROLE", "STATE", "E-MAIL", "LAST LOG-IN")
        for user in users {
            table.add(
                user.text("username"), user.text("role"), user.text("state"), user.text("email"),
                user.text("lastLogInAt"))
        }
        return table.isEmpty ? "no accounts" : table.text
    }

    /// - Parameter account: an account in the API's representation.
    package static func account(_ account: JSONNode) -> String {
        TextTable.fields(
            of: account,
            [
                "username", "email", "emailConfirmedAt", "name", "mobile", "city", "country", "language", "role",
                "state", "suspendedUntil", "createdAt", "lastLogInAt",
            ]
        ).text
    }

    /// - Parameter sessions: sessions in the API's representation.
    package static func sessions(_ sessions: [JSONNode]) -> String {
        var table = TextTable("ID", "THIS", "DEVICE", "ADDRESS", "CREATED", "LAST USED", "EXPIRES")
        for session in sessions {
            table.add(
                session.text("id"), session["isThis"]?.boolean == true ? "yes" : "",
                TextTable.short(session.text("device")),
                session.text("address"), session.text("createdAt"), session.text("lastUsedAt"),
                session.text("expiresAt"))
        }
        return table.isEmpty ? "no sessions" : table.text
    }

    /// - Parameter tokens: tokens in the API's representation.
    package static func tokens(_ tokens: [JSONNode]) -> String {
        var table = TextTable("ID", "KIND", "NAME", "PERMISSIONS", "CHANNELS", "EXPIRES", "LAST USED")
        for token in tokens {
            func names(_ field: String) -> String? {
                token[field]?.elements.map { $0.compactMap(\.string).joined(separator: ",") }
            }
            table.add(
                token.text("id"), token.text("kind"), token.text("name"), TextTable.short(names("permissions") ?? "-"),
                TextTable.short(names("channels") ?? "all"), token.text("expiresAt"), token.text("lastUsedAt"))
        }
        return table.isEmpty ? "no tokens" : table.text
    }

    /// - Parameter links: links to media in the API's representation.
    package static func links(_ links: [JSONNode]) -> String {
        var table = TextTable("ID", "NAME", "PATH", "CREATED", "EXPIRES", "REVOKED")
        for link in links {
            table.add(
                link.text("id"), TextTable.short(link.text("name")), link.text("path"), link.text("createdAt"),
                link.text("expiresAt"), link.text("revokedAt"))
        }
        return table.isEmpty ? "no links" : table.text
    }

    /// - Parameter links: links for publishers in the API's representation.
    package static func publishLinks(_ links: [JSONNode]) -> String {
        var table = TextTable("ID", "NAME", "CREATED", "EXPIRES", "USED", "BY", "REVOKED")
        for link in links {
            table.add(
                link.text("id"), TextTable.short(link.text("name")), link.text("createdAt"), link.text("expiresAt"),
                link.text("usedAt"), link.text("usedBy"), link.text("revokedAt"))
        }
        return table.isEmpty ? "no links" : table.text
    }

    /// - Parameter invitations: one-time links in the API's representation.
    package static func invitations(_ invitations: [JSONNode]) -> String {
        var table = TextTable("ID", "ROLE", "E-MAIL", "CREATED", "EXPIRES")
        for invitation in invitations {
            table.add(
                invitation.text("id"), invitation.text("role"), invitation.text("email"),
                invitation.text("createdAt"), invitation.text("expiresAt"))
        }
        return table.isEmpty ? "no invitations" : table.text
    }

    /// - Parameter entries: entries of the audit log in the API's representation.
    package static func audit(_ entries: [JSONNode]) -> String {
        var table = TextTable("AT", "EVENT", "BY", "FROM", "BEFORE", "AFTER")
        for entry in entries {
            table.add(
                entry.text("at"), entry.text("event"), entry.text("actor"), entry.text("address"),
                TextTable.short(entry.text("before")), TextTable.short(entry.text("after")))
        }
        return table.isEmpty ? "no entries" : table.text
    }
}
