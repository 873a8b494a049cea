/// Says what a push message shows.
package protocol PushText: Sendable {
    /// - Parameters:
    ///   - notification: what has happened.
    ///   - language: such as `es`.
    /// - Returns: the sentence, and the path of the page that opens it.
    func content(_ notification: MemberNotification, language: String) -> (text: String, path: String)
}
