import Accounts
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Messaging

@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ConversationTests {
    private let fixture: MessagingFixture
    private let (ana, eva): (Caller, Caller)
    private var messaging: Messaging { fixture.messaging }

    init() async throws {
        fixture = try await MessagingFixture()
        (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
    }

    private func code(_ body: () async throws -> some Any) async -> Refusal.Code? {
        await MessagingFixture.code(body)
    }

    /// The conversation of two contacts.
    private func pair() async throws -> OpaqueID {
        try await fixture.connect(ana, eva)
        return try await messaging.open(with: "eva", by: ana).id
    }

    @Test func twoTalkAndSeeTheSameInTheSameOrder() async throws {
        let id = try await pair()
        #expect(try await messaging.open(with: "ana", by: eva).id == id, "there is one conversation of two")
        #expect(try await messaging.conversations(.recent, of: eva).items.isEmpty, "nothing was written")
        for number in 0..<5 {
            try await fixture.send("text \(number)", to: id, by: number.isMultiple(of: 2) ? ana : eva)
        }
        for caller in [ana, eva] {
            #expect(try await fixture.texts(in: id, for: caller) == (0..<5).map { "text \($0)" })
        }
        let recent = try #require(try await messaging.conversations(.recent, of: eva).items.first)
        #expect(recent.other?.username == "ana" && recent.lastMessage?.text == "text 4" && recent.lastSequence == 5)
        #expect(recent.unread == 1, "an answer marks what came before as read")
        let page = try await messaging.messages(in: id, for: ana, limit: 2)
        #expect(page.items.map(\.sequence) == [5, 4])
        #expect(
            try await messaging.messages(in: id, for: ana, after: page.next, limit: 2).items.map(\.sequence) == [3, 2])
    }

    @Test func aMessageThatIsSentAgainIsStoredOnce() async throws {
        let id = try await pair()
        let new = NewMessage(clientID: "c1", content: .text("hello"))
        let first = try await messaging.send(new, to: id, by: ana)
        let other = try await fixture.otherServer()
        let again = try await other.send(new, to: id, by: ana)
        #expect(first.isNew && !again.isNew && first.message == again.message)
        #expect(await code { try await fixture.send("another", to: id, by: ana, as: "c1") } == .conflict)
        // The same ID of somebody else is another message.
        #expect(try await messaging.send(new, to: id, by: eva).isNew)
        #expect(try await fixture.texts(in: id, for: eva) == ["hello", "hello"])
    }

    @Test func simultaneousSendersOnTwoServersLeaveNoGapAndNoDouble() async throws {
        let id = try await pair()
        let other = try await fixture.otherServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                let (sender, server) = (number.isMultiple(of: 2) ? ana : eva, number % 3 == 0 ? other : messaging)
                let new = NewMessage(clientID: "n\(number)", content: .text("t\(number)"))
                // Each is sent twice at the same time.
                for _ in 0..<2 { group.addTask { _ = try await server.send(new, to: id, by: sender) } }
            }
            try await group.waitForAll()
        }
        let all = try await messaging.messages(in: id, for: ana, limit: 100).items
        #expect(all.map(\.sequence) == Array((1...12).reversed()))
        #expect(all.map(\.change) == Array((1...12).reversed()))
        #expect(Set(all.map(\.text)) == Set((0..<12).map { "t\($0)" }))
    }

    @Test func aDeviceThatComesBackGetsWhatItHasMissedInOrder() async throws {
        let id = try await pair()
        try await fixture.send("one", to: id, by: ana)
        let known = try await messaging.changes(in: id, after: 0, for: eva)
        #expect(known.messages.map(\.text) == ["one"] && known.isComplete)
        try await fixture.send("two", to: id, by: ana)
        try await fixture.send("three", to: id, by: ana)
        try await messaging.delete(1, of: id, forEverybody: true, by: ana)
        let missed = try await messaging.changes(in: id, after: known.conversation.lastChange, for: eva)
        #expect(missed.messages.map(\.sequence) == [2, 3, 1])
        #expect(missed.messages.last?.isDeleted == true && missed.messages.last?.text == "")
        let part = try await messaging.changes(in: id, after: 1, for: eva, limit: 1)
        #expect(part.messages.map(\.sequence) == [2] && !part.isComplete)
    }

    @Test func devicesAreToldWhicheverServerStores() async throws {
        let id = try await pair()
        let (user, other) = (try MessagingFixture.id(eva), try await fixture.otherServer())
        let stream = try await other.stream(of: user)
        try await fixture.send("hello", to: id, by: ana)
        try await other.refreshStreams()
        for await signal in stream.signals {
            #expect(signal == .changed)
            break
        }
        let changes = try await other.changes(of: user, after: stream.begunAt)
        #expect(changes.conversations.map(\.id) == [id] && changes.conversations.first?.lastMessage?.text == "hello")
        #expect(try await other.changes(of: user, after: changes.revision).conversations.isEmpty)
        stream.end()
    }

    @Test func marksRiseAndAreShownToThoseWhoSendThem() async throws {
        let id = try await pair()
        for text in ["one", "two", "three"] { try await fixture.send(text, to: id, by: ana) }
        func marks() async throws -> (Int64?, Int64?) {
            let members = try await messaging.members(of: id, for: ana)
            let theirs = members.first { $0.member.username == "eva" }
            return (theirs?.deliveredThrough, theirs?.readThrough)
        }
        _ = try await messaging.mark(delivered: 3, read: 1, id, by: eva)
        #expect(try await marks() == (3, 1))
        _ = try await messaging.mark(delivered: 1, read: nil, id, by: eva)
        #expect(try await marks() == (3, 1), "they never fall")
        let conversation = try await messaging.mark(delivered: nil, read: 99, id, by: eva)
        #expect(try await marks() == (3, 3) && conversation.unread == 0)
        _ = try await messaging.changePreferences(of: ana) { $0.sendsMarks = false }
        #expect(try await marks() == (nil, nil), "who sends none sees none")
        _ = try await messaging.changePreferences(of: ana) { $0.sendsMarks = true }
        _ = try await messaging.changePreferences(of: eva) { $0.sendsMarks = false }
        #expect(try await marks() == (nil, nil))
    }

    @Test func aStrangersFirstMessagesWaitInTheListOfRequests() async throws {
        let id = try await messaging.open(with: "eva", by: ana).id
        for number in 0..<3 { try await fixture.send("hello \(number)", to: id, by: ana) }
        #expect(await code { try await fixture.send("one more", to: id, by: ana) } == .conflict)
        #expect(try await messaging.conversations(.recent, of: eva).items.isEmpty)
        #expect(try await messaging.conversations(.requests, of: eva).items.map(\.id) == [id])
        let badges = try await messaging.badges(of: try MessagingFixture.id(eva))
        #expect(badges.requests == 1 && badges.unread == 0)
        // Reading it tells the stranger nothing.
        _ = try await messaging.mark(delivered: 3, read: 3, id, by: eva)
        let seen = try await messaging.members(of: id, for: ana).first { $0.member.username == "eva" }
        #expect(seen?.readThrough == nil)
        try await messaging.answerRequest(id, accepts: true, by: eva)
        #expect(try await messaging.conversations(.recent, of: eva).items.map(\.id) == [id])
        try await fixture.send("one more", to: id, by: ana)
        #expect(await code { try await messaging.answerRequest(id, accepts: true, by: eva) } == .conflict)
    }

    @Test func aRefusedStrangerIsNotToldAndNotSeenUntilTheMemberWrites() async throws {
        let id = try await messaging.open(with: "eva", by: ana).id
        try await fixture.send("hello", to: id, by: ana)
        try await messaging.answerRequest(id, accepts: false, by: eva)
        try await fixture.send("are you there", to: id, by: ana)
        for list in ConversationList.allCases {
            #expect(try await messaging.conversations(list, of: eva).items.isEmpty, "\(list)")
        }
        #expect(try await messaging.open(with: "ana", by: eva).id == id)
        try await fixture.send("who are you", to: id, by: eva)
        try await fixture.send("ana", to: id, by: ana)
        #expect(try await fixture.texts(in: id, for: eva).suffix(2) == ["who are you", "ana"])
    }

    @Test func aMessageIsDeletedForOneOrForBoth() async throws {
        let id = try await pair()
        for text in ["one", "two", "three"] { try await fixture.send(text, to: id, by: ana) }
        try await messaging.delete(1, of: id, forEverybody: false, by: eva)
        #expect(try await fixture.texts(in: id, for: eva) == ["two", "three"])
        #expect(try await fixture.texts(in: id, for: ana) == ["one", "two", "three"])
        #expect(await code { try await messaging.delete(2, of: id, forEverybody: true, by: eva) } == .forbidden)
        try await messaging.delete(2, of: id, forEverybody: true, by: ana)
        for caller in [ana, eva] {
            #expect(try await messaging.search("two", for: caller).items.isEmpty)
            #expect(try await fixture.texts(in: id, for: caller).last == "three")
        }
        let rows: Int64? = try await fixture.database.read { db in
            try db.firstValue("SELECT COUNT(*) FROM conversationMessage WHERE text = 'two'")
        }
        #expect(rows == 0, "nothing of it is left")
        #expect(await code { try await messaging.delete(9, of: id, forEverybody: false, by: ana) } == .notFound)
    }

    @Test func clearingHidesWhatWasBeforeFromOneMember() async throws {
        let id = try await pair()
        try await fixture.send("old", to: id, by: ana)
        try await messaging.clear(id, by: eva)
        #expect(try await messaging.conversations(.recent, of: eva).items.isEmpty)
        #expect(try await fixture.texts(in: id, for: eva).isEmpty)
        #expect(try await messaging.search("old", for: eva).items.isEmpty)
        #expect(try await fixture.texts(in: id, for: ana) == ["old"])
        try await fixture.send("new", to: id, by: ana)
        #expect(try await messaging.conversations(.recent, of: eva).items.map(\.lastMessage?.text) == ["new"])
        try await messaging.clearAll(by: eva)
        #expect(try await messaging.conversations(.recent, of: eva).items.isEmpty)
        #expect(try await messaging.badges(of: try MessagingFixture.id(eva)).unread == 0)
    }

    @Test func searchFindsBeginningsOfWordsInOwnConversationsOnly() async throws {
        let (id, leo) = (try await pair(), try await fixture.member("leo"))
        try await fixture.send("La CANCIÓN del faro", to: id, by: ana)
        try await fixture.send("otra cosa", to: id, by: eva)
        #expect(try await messaging.search("cancion far", for: eva).items.map(\.text) == ["La CANCIÓN del faro"])
        #expect(try await messaging.search("cancion", in: id, for: ana).items.count == 1)
        #expect(try await messaging.search("cancion", for: leo).items.isEmpty)
        #expect(await code { try await messaging.search("cancion", in: id, for: leo) } == .notFound)
        #expect(try await messaging.search("\" OR 1=1 --", for: leo).items.isEmpty)
    }

    @Test func sixtyMessagesAMinuteAndTwentyThousandCharacters() async throws {
        let id = try await pair()
        for number in 0..<60 { try await fixture.send("\(number)", to: id, by: ana) }
        #expect(await code { try await fixture.send("more", to: id, by: ana) } == .tooManyAttempts)
        #expect(await code { try await fixture.send("mine", to: id, by: eva) } == nil)
        fixture.clock.advance(by: .seconds(61))
        let long = String(repeating: "é", count: 20_000)
        #expect(try await fixture.send(long, to: id, by: ana).text == long)
        #expect(await code { try await fixture.send(long + "x", to: id, by: ana) } == .invalidField)
        // One character of very many marks is no way around it.
        let tower = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(await code { try await fixture.send(tower, to: id, by: ana) } == .invalidField)
        #expect(await code { try await fixture.send(" \n ", to: id, by: ana) } == .emptyField)
        for bad in ["", "a b", "a/b", String(repeating: "a", count: 65), "é"] {
            #expect(await code { try await fixture.send("x", to: id, by: ana, as: bad) } == .invalidField, "\(bad)")
        }
    }

    @Test func placesAndContactsAreMessages() async throws {
        let id = try await pair()
        let leo = try await fixture.member("leo")
        try await fixture.connect(ana, leo)
        func send(_ content: MessageContent, by caller: Caller) async throws -> ConversationMessage {
            try await messaging.send(NewMessage(clientID: "\(OpaqueID())", content: content), to: id, by: caller)
                .message
        }
        let place = try await send(.place(latitude: 43.36, longitude: -8.41, name: "Torre"), by: ana)
        #expect(place.kind == .place && place.text == "Torre" && place.latitude == 43.36 && place.longitude == -8.41)
        #expect(try await messaging.search("torre", for: eva).items.map(\.sequence) == [place.sequence])
        #expect(try await send(.contact(username: "leo"), by: ana).subject?.username == "leo")
        #expect(await code { try await send(.contact(username: "leo"), by: eva) } == .notFound, "no contact of hers")
        for (latitude, longitude) in [(91.0, 0.0), (0, 181), (.nan, 0), (.infinity, 0)] {
            let bad = MessageContent.place(latitude: latitude, longitude: longitude, name: "")
            #expect(await code { try await send(bad, by: ana) } == .invalidField)
        }
    }

    @Test func aDeletedAccountsMessagesStayWithoutItsName() async throws {
        let id = try await pair()
        try await fixture.send("mine", to: id, by: ana)
        try await fixture.send("yours", to: id, by: eva)
        try await fixture.accounts.deleteAccount(password: TestAccounts.password, by: ana)
        let messages = try await messaging.messages(in: id, for: eva).items
        #expect(messages.map(\.text) == ["yours", "mine"] && messages.map { $0.sender?.username } == ["eva", nil])
        #expect(try await messaging.conversation(id, for: eva).other == nil)
        #expect(try await messaging.contacts(of: eva).items.isEmpty)
        #expect(await code { try await fixture.send("hello", to: id, by: eva) } == .conflict)
        try await fixture.accounts.deleteAccount(password: TestAccounts.password, by: eva)
        let rows: Int64? = try await fixture.database.read { db in
            try db.firstValue(
                """
                SELECT (SELECT COUNT(*) FROM conversation) + (SELECT COUNT(*) FROM conversationMessage)
                    + (SELECT COUNT(*) FROM conversationText)
                """)
        }
        #expect(rows == 0, "what nobody can read any more is deleted")
    }

    @Test func theExportHasWhatTheMemberReads() async throws {
        let id = try await pair()
        for text in ["one", "two"] { try await fixture.send(text, to: id, by: ana) }
        try await messaging.delete(1, of: id, forEverybody: false, by: eva)
        let data = try await messaging.ownData(of: try MessagingFixture.id(eva))
        #expect(data.messages.map(\.text) == ["two"] && data.contacts.map(\.member.username) == ["ana"])
        #expect(data.conversations.map(\.id) == [id] && data.invitations.count == 1)
    }
}
