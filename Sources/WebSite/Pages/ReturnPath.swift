import HTTPEndpoints

/// The page of this site to which somebody returns after logging in. Anything else in its place would send visitors who
/// trust this site to another one.
struct ReturnPath {
    let text: String

    private static let maximumByteCount = 1_000
    /// The pages below `/cuenta/` that members read. All others there begin or end a session, or take a form.
    private static let accountPages = [
        ClubPath.myTitles, ClubPath.myCredits, AccountPath.device, AccountPath.users, AccountPath.auditLog,
        AccountPath.security, AccountPath.devices, AccountPath.ownData,
    ]

    /// - Returns: `nil` for text that is not the path of a page of this site.
    init?(parsing text: String?) {
        guard let text, text.utf8.count <= Self.maximumByteCount, text.hasPrefix("/"), !text.hasPrefix("//"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
            !text.hasPrefix("/api/"),
            !text.hasPrefix("/cuenta/") || Self.accountPages.contains(String(text.prefix { $0 != "?" }))
        else { return nil }
        self.text = text
    }
}
