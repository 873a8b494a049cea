import Accounts
import Events
import GatewayTestSupport
import Testing

@testable import Webhooks

/// The events of domains, and their audience.
struct EventKindsTests {
    private let kinds = WebhookFixture.kinds

    @Test func typesAndTheirGroupsHaveNames() {
        #expect(kinds.isType("channel.up") && kinds.isType("channel") && kinds.isType("title"))
        #expect(!kinds.isType("channel.") && !kinds.isType("up") && !kinds.isType("") && !kinds.isType("account"))
        #expect(kinds.typeList == "channel.up, channel.down, title.ready")
    }

    private func hears(_ subject: EventSubject, _ audiences: AudienceRules = AudienceRules()) -> Bool {
        EventVisibility(.anonymous, kinds, permissions: Permissions(isOpenToStrangers: true), audiences: audiences)
            .includes(subject)
    }

    @Test func aListenerIsToldOfWhatItMayRead() {
        let subject = EventSubject(.channel, "canalA")
        #expect(hears(subject))
        #expect(!hears(subject, AudienceRules(channels: ["canalA": .members])))
        #expect(hears(subject, AudienceRules(channels: ["canalB": .members])))
    }

    /// Another server with the same database may run a newer version.
    @Test func nobodyIsToldOfAKindThatThisVersionDoesNotKnow() {
        #expect(!hears(EventSubject(EventSubject.Kind(rawValue: "match"), "final")))
        let machine = EventVisibility(
            .machine(.tokenFile), kinds, permissions: Permissions(isOpenToStrangers: true), audiences: AudienceRules())
        #expect(!machine.includes(EventSubject(EventSubject.Kind(rawValue: "match"), "final")))
        #expect(machine.includes(EventSubject(.channel, "canalA")))
    }
}
