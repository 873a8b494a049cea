package import JSONDocument

/// Tables of messages of people who need help.
package enum SupportTables {
    /// - Parameter messages: messages in the API's representation.
    package static func messages(_ messages: [JSONNode]) -> String {
        var table = TextTable("AT", "ID", "SENDER", "SUBJECT")
        for message in messages {
            table.add(
                message.text("sentAt"), message.text("id"), TextTable.short(message.text("sender")),
                TextTable.short(message.text("subject")))
        }
        return table.isEmpty ? "no messages" : table.text
    }
}
