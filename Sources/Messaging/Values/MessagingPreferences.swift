/// The choices of a member about contacts and messages.
package struct MessagingPreferences: Sendable, Hashable {
    /// Whether contacts see that the member is online, and when they were last. Who does not share it sees nobody's.
    package var sharesPresence = true
    /// Whether others see up to where the member has received and read. Who sends no marks sees none.
    package var sendsMarks = true
    /// Whether members who know the e-mail address find the member by it.
    package var isFoundByEmail = false
    /// Whether members who know the telephone number find the member by it.
    package var isFoundByPhone = false

    package init() {}
}
