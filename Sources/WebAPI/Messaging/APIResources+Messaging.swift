import APIContract
import APIDeclarations
import Accounts
import MediaCore
import Messaging
import Workflows

extension APIResources {
    static func named(_ member: NamedMember) -> APIObject<NamedMemberFields> {
        NamedMemberFields.object { [$0.username(member.username), $0.photo(photo(of: member))] }
    }

    private static func photo(of member: NamedMember) -> String? {
        ResourcePaths.photo(ofMember: member.username, member.photo)
    }

    /// The JSON of a contact.
    ///
    /// - Parameters:
    ///   - contact: the contact.
    ///   - now: the time by which they are online.
    static func contact(_ contact: Contact, at now: WallClockTime) -> APIObject<ContactFields> {
        ContactFields.object {
            [
                $0.username(contact.member.username), $0.photo(photo(of: contact.member)),
                $0.since(time(contact.madeAt)), $0.online(contact.seenAt.map { _ in contact.isOnline(at: now) }),
                $0.seenAt(time(contact.seenAt)),
            ]
        }
    }

    static func invitation(_ invitation: ContactInvitation) -> APIObject<ContactInvitationFields> {
        ContactInvitationFields.object {
            [
                $0.id(invitation.id.text), $0.from(named(invitation.sender)), $0.to(named(invitation.receiver)),
                $0.text(invitation.text), $0.sentAt(time(invitation.sentAt)), $0.state(invitation.state.rawValue),
                $0.page(ResourcePaths.page(ofContactInvitation: invitation.id)),
            ]
        }
    }

    static func preferences(_ preferences: MessagingPreferences) -> APIObject<MessagingPreferencesFields> {
        MessagingPreferencesFields.object {
            [
                $0.sharesPresence(preferences.sharesPresence), $0.sendsMarks(preferences.sendsMarks),
                $0.foundByEmail(preferences.isFoundByEmail), $0.foundByPhone(preferences.isFoundByPhone),
            ]
        }
    }

    static func message(_ message: ConversationMessage) -> APIObject<MessageFields> {
        MessageFields.object {
            [
                $0.conversation(message.conversation.text), $0.sequence(Int(clamping: message.sequence)),
                $0.change(Int(clamping: message.change)), $0.id(message.clientID), $0.from(message.sender.map(named)),
                $0.kind(message.kind.rawValue), $0.text(message.text), $0.about(message.subject.map(named)),
                $0.latitude(message.latitude), $0.longitude(message.longitude), $0.sentAt(time(message.sentAt)),
                $0.deleted(message.isDeleted),
            ]
        }
    }

    static func conversation(_ conversation: Conversation) -> APIObject<ConversationFields> {
        ConversationFields.object {
            [
                $0.id(conversation.id.text), $0.kind(conversation.kind.rawValue), $0.groupName(conversation.name),
                $0.with(conversation.other.map(named)), $0.members(Int(clamping: conversation.memberCount)),
                $0.createdAt(time(conversation.createdAt)), $0.admin(conversation.role == .admin),
                $0.request(conversation.state == .request), $0.muted(conversation.isMuted),
                $0.lastSequence(Int(clamping: conversation.lastSequence)),
                $0.lastChange(Int(clamping: conversation.lastChange)),
                $0.readThrough(Int(clamping: conversation.readThrough)),
                $0.unread(Int(clamping: conversation.unread)), $0.lastMessage(conversation.lastMessage.map(message)),
                $0.page(ResourcePaths.page(ofConversation: conversation.id)),
            ]
        }
    }

    static func member(_ member: ConversationMember) -> APIObject<ConversationMemberFields> {
        ConversationMemberFields.object {
            [
                $0.username(member.member.username), $0.photo(photo(of: member.member)),
                $0.admin(member.role == .admin), $0.joinedAt(time(member.joinedAt)),
                $0.deliveredThrough(member.deliveredThrough.map { Int(clamping: $0) }),
                $0.readThrough(member.readThrough.map { Int(clamping: $0) }),
            ]
        }
    }

    static func badges(_ badges: Messaging.Badges) -> APIObject<MessagingBadgesFields> {
        MessagingBadgesFields.object {
            [
                $0.unread(Int(clamping: badges.unread)), $0.requests(Int(clamping: badges.requests)),
                $0.invitations(Int(clamping: badges.invitations)),
            ]
        }
    }

    /// The limits of contacts and messages.
    static var messagingLimits: APIObject<MessagingLimitsFields> {
        MessagingLimitsFields.object {
            [
                $0.messageLength(MessagingLimits.messageLength), $0.groupMembers(MessagingLimits.groupMemberCount),
                $0.messagesAMinute(MessagingLimits.messageCount), $0.invitationsADay(MessagingLimits.invitationCount),
            ]
        }
    }
}
