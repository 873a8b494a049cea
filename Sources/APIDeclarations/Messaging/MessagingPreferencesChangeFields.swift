package import APIContract

/// The fields of a change of the sender's choices about contacts and messages.
package struct MessagingPreferencesChangeFields: ObjectFields {
    package static let name = "MessagingPreferencesChange"
    package static let isClosed = true
    package static let fields = MessagingPreferencesChangeFields()

    package let sharesPresence = Field<Bool>(
        setting: MessagingPreferencesFields.fields.sharesPresence, .optional)
    package let sendsMarks = Field<Bool>(setting: MessagingPreferencesFields.fields.sendsMarks, .optional)
    package let foundByEmail = Field<Bool>(setting: MessagingPreferencesFields.fields.foundByEmail, .optional)
    package let foundByPhone = Field<Bool>(setting: MessagingPreferencesFields.fields.foundByPhone, .optional)

    package init() {}
}
