import JSONDocument
import Messaging
import SiteTexts

/// The texts of the pages of contacts and messages.
struct MessagingText: SiteTextSection {
    static let section = "messaging"

    let heading, recent, chats, contacts, requests, people, settings, information: String
    // Lists.
    let noRecent, noChats, noContacts, noRequests, nobodyFound, nothingFound, more, unreadOne,
        unreadMany: String
    let search, searchMessages, searchContacts, searchPeople, searchPeopleText, letters, allLetters,
        matches: String
    let clearAll, clear, madeAt, groupOf, online, seen, notifications: String
    // Invitations.
    let invite, inviteHeading, inviteText, inviteDefault, inviteSend, invitations, invited,
        invitedBy: String
    let accept, refuse, accepted, refused, waiting, withdraw: String
    // Contacts.
    let chat, remove, contactOf: String
    // Conversations.
    let write, send, earlier, deletedAccount, deletedMessage, deleteForMe, deleteForAll,
        options: String
    let requestText, acceptChat, refuseChat, sent, delivered, read, waits, notSent, again,
        discard: String
    let offline, emoji, messageLabel, place, contact: String
    let emojiGroups: [String: String]
    // Groups.
    let newGroup, groupName, groupMembersText, create, rename, add, addText, admin, makeAdmin: String
    let endAdmin, removeMember, leave, deleteGroup, mute, unmute, members, noContactsForGroup: String
    let created, added, removedFrom, left, renamed: String
    // Choices.
    let sharesPresence, sendsMarks, foundByEmail, foundByPhone, save, saved: String

    /// The line about a message in lists, and about what has happened in a group.
    func line(_ message: ConversationMessage) -> String {
        let sender = message.sender?.username ?? deletedAccount
        let subject = message.subject?.username ?? deletedAccount
        func filled(_ text: String) -> String {
            text.filled("name", with: sender).filled("other", with: subject).filled(
                "text", with: message.text)
        }
        guard !message.isDeleted else { return deletedMessage }
        return switch message.kind {
        case .text: message.text
        case .place: message.text.isEmpty ? place : "\(place): \(message.text)"
        case .contact: "\(contact): \(subject)"
        case .created: filled(created)
        case .added: filled(added)
        case .removed: filled(removedFrom)
        case .left: filled(left)
        case .renamed: filled(renamed)
        }
    }

    /// The words that the script of a conversation shows.
    var words: String {
        let words = [
            ("sent", sent), ("delivered", delivered), ("read", read), ("waits", waits),
            ("notSent", notSent),
            ("again", again), ("discard", discard), ("offline", offline),
            ("deletedAccount", deletedAccount),
            ("deletedMessage", deletedMessage), ("place", place), ("contact", contact),
            ("created", created), ("added", added), ("removed", removedFrom), ("left", left),
            ("renamed", renamed),
        ].map { ($0.0, JSONText.string($0.1)) }
        let groups = emojiGroups.sorted { $0.key < $1.key }.map { ($0.key, JSONText.string($0.value)) }
        return JSONText.object(words + [("emojiGroups", .object(groups))]).rendered
    }
}
