/// Entity tags (RFC 9110 §8.8.3).
enum EntityTag {
    /// Returns whether the value of `If-None-Match` contains the tag; weak and strong tags are equal there (§13.1.2).
    static func list(_ field: String, matches entityTag: String) -> Bool {
        field.split(separator: ",").contains { candidate in
            let text = candidate.drop(while: \.isWhitespace)
            let tag = text.hasPrefix("W/") ? text.dropFirst(2) : text
            return tag == "*" || String(tag.reversed().drop(while: \.isWhitespace).reversed()) == entityTag
        }
    }
}
