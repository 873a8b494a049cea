import GatewayTestSupport
import Testing

@testable import VideoClub

/// Answers of the database that were asked for before something changed, and come after it.
@Suite struct EntitlementsTests {
    private let entitlements = Entitlements()

    private func take(_ question: Int, _ titles: Set<String>? = nil, ended: Set<String> = []) {
        entitlements.replace(
            titles: titles.map { Entitlements.Titles(withRental: $0) }, endedEarly: ended, askedBy: question)
    }

    @Test func aRentalThatThisServerHasEndedStaysEndedAfterAnOlderAnswer() {
        let question = entitlements.beginQuestion()
        entitlements.noteEnd(of: "r")
        take(question)
        #expect(entitlements.isEndedEarly(rental: "r"))
        // The next question was sent after the end, so its answer counts.
        let next = entitlements.beginQuestion()
        take(next, ended: ["r", "s"])
        #expect(entitlements.isEndedEarly(rental: "r") && entitlements.isEndedEarly(rental: "s"))
        let last = entitlements.beginQuestion()
        take(last)
        #expect(!entitlements.hasEndedEarly)
    }

    @Test func anAnswerThatIsOvertakenDoesNotReplaceTheLaterOne() {
        let (first, second) = (entitlements.beginQuestion(), entitlements.beginQuestion())
        take(second, ended: ["r"])
        take(first)
        #expect(entitlements.isEndedEarly(rental: "r"))
    }

    @Test func aFileIsNotRememberedAsFreeByAnAnswerFromBeforeItsPrice() {
        take(entitlements.beginQuestion(), ["other"])
        let question = entitlements.beginQuestion()
        take(entitlements.beginQuestion(), ["other", "film"])
        entitlements.noteFree(titleFile: "film.mp4", askedBy: question)
        #expect(entitlements.mayNeedRental(titleFile: "film.mp4"))
        entitlements.noteFree(titleFile: "film.mp4", askedBy: entitlements.beginQuestion())
        #expect(!entitlements.mayNeedRental(titleFile: "film.mp4"))
    }
}
