package import APIContract

/// The fields of the sender's choices about contacts and messages.
package struct MessagingPreferencesFields: ObjectFields {
    package static let name = "MessagingPreferences"
    package static let fields = MessagingPreferencesFields()

    package let sharesPresence = Field<Bool>(
        "sharesPresence", "whether contacts see when the sender is online; who does not share it sees nobody's")
    package let sendsMarks = Field<Bool>(
        "sendsMarks", "whether others see what the sender has received and read; who sends no marks sees none")
    package let foundByEmail = Field<Bool>(
        "foundByEmail", "whether members who know the sender's e-mail address find the sender by it")
    package let foundByPhone = Field<Bool>(
        "foundByPhone",
        "whether members who know the sender's telephone number find the sender by it; set it again after a change of the number"
    )

    package init() {}
}
