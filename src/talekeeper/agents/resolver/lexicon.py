"""The phrases players use, by verb. Longer phrases win over shorter ones; the forms of a verb are made, not listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from talekeeper.timeline.vocabulary import Verb

Need = Literal["", "thing", "exit", "named"]
"""A phrase that means its verb only when its object is such a one; otherwise it is an attempt."""

_PHRASES: dict[Verb, str] = {
    "move": "go; walk; run; head; travel; move; step; proceed; return; enter; leave; exit; flee; escape; cross; march;"
    " hurry; rush; sprint; stroll; wander; approach; advance; retreat; withdraw; jog; dash; stride; saunter;"
    " journey; make my way; make our way; set off; set out; come back; go back; get out; get to; get back; take"
    " off; run away; walk over; step over; follow; visit; bolt; storm out; trudge; hike; make for; turn back; get"
    " going; go away",
    "look": "look; l; look around; look about; glance around; glance about; survey; scan; take in; gaze around; take a"
    " look around; take a look; have a look; have a look around; look round; describe; peer around; look out; look"
    " up; look down",
    "examine": "examine; x; inspect; study; look at; look closely; look over; look upon; read; check; check out; watch;"
    " observe; stare; stare at; gaze at; gaze; view; consider; peer at; peer; take a look at; have a look at; take"
    " a closer look; take a closer look at; get a closer look; smell; sniff; taste; listen; listen to; touch;"
    " feel; size up; glance at; scrutinise; scrutinize; appraise; admire; look more closely; get a good look; take"
    " a good look; listen at; test; weigh; see; peek; peep; spot; notice; keep an eye on; keep watch on; count",
    "talk": "talk; speak; say; tell; greet; chat; converse; reply; answer; whisper; shout; call; yell; hail; address;"
    " introduce; hello; hi; hey; good morning; good evening; good day; good night; thank; thanks; thank you;"
    " apologise; apologize; congratulate; mention; explain; respond; mutter; confess; admit; nod to; wave to; wave"
    " at; smile at; strike up a conversation; have a word; shake hands; bow to; wink at; yes; no; okay; ok;"
    " goodbye; farewell; compliment; welcome; gossip; call out; cry out; murmur; joke; toast; signal; insult;"
    " mock; hug; embrace; pat; promise; assure; remind; inform; vow; scold; blame; lecture; warn gently; forgive;"
    " praise; announce; declare; state; nod at; grin at; laugh at; shrug at",
    "ask": "ask; question; inquire; enquire; interrogate; query; tell me; tell us; quiz; find out from; request; can you"
    " tell; could you tell; will you tell; would you tell; do you know; have you seen; have you heard; have you;"
    " do you; are you; did you; is there; are there; what; who; where; when; why; how; which; whose; what about;"
    " what do you know; may i ask; learn from; consult; press for; probe; sound out; ask around; ask about;"
    " what's; who's; where's; how's; is it; does; is; was; were; grill; confront; accuse; how much; how many; how"
    " come; how do; how did; how long",
    "persuade": "persuade; convince; beg; plead; urge; charm; flatter; coax; cajole; negotiate; bargain; haggle; bribe;"
    " reassure; appeal; appeal to; entreat; implore; win over; seduce; encourage; sway; reason with; make a deal;"
    " talk into; can you; could you; will you; would you; please help; invite; recruit; hire; ask for help; plead"
    " with; bargain with; trade; barter; request help; argue; calm down; propose; suggest; soothe; help me; help"
    " us; show me; show us; give me; give us; bring me; bring us; let me see; hand me; lend me; buy; purchase;"
    " sell; rent; borrow; make an offer; kiss; comfort; console; woo; court; flirt; flirt with; make peace; rally;"
    " inspire",
    "threaten": "threaten; intimidate; menace; bully; blackmail; scare; frighten; warn; demand; extort; coerce; shake down;"
    " lean on; order; command; glare at; growl at; snarl at; shout at; scream at; corner; terrorise; terrorize;"
    " browbeat",
    "deceive": "deceive; lie; lie to; bluff; trick; fool; mislead; con; pretend; make up; fake; feign; distract;"
    " impersonate; disguise; disguise myself; pass myself off; cheat; dupe; hoodwink; swindle; convince falsely;"
    " play innocent; play dumb; double cross; lead astray; misdirect; act as if; pose as; claim to be; claim that",
    "attack": "attack; hit; strike; punch; kick; stab; slash; shoot; fight; kill; slay; charge; tackle; assault; swing at;"
    " bash; wrestle; grapple; bite; headbutt; lunge; lunge at; murder; ambush; slap; choke; strangle; open fire;"
    " fire at; fire on; wound; hurt; harm; knock out; club; pounce; take a swing; take aim; throw a punch; beat;"
    " beat up; duel; elbow; knee; trip; shove; jump on; swing my; draw on; rush at; hack; smite; finish off;"
    " execute; behead; claw; whip; batter; brawl; poison",
    "defend": "defend; block; parry; dodge; take cover; guard; shield; protect; brace; brace myself; raise my shield;"
    " evade; duck; stand my ground; fend off; hold the line; deflect; get ready; ready myself; ward off; back"
    " away; step back; stand firm; hold my ground; put up my guard; keep my guard up; cover myself; prepare for;"
    " stand between",
    "take": "take; grab; get; pick up; pick; seize; snatch; steal; pocket; collect; gather; acquire; help myself; fetch;"
    " loot; pluck; retrieve; swipe; pickpocket; claim; keep; pinch; nick; lift up; scoop up; take back; obtain;"
    " confiscate; pilfer; rob; relieve; catch; reach for; recover the; remove",
    "give": "give; hand; offer; pass; present; deliver; donate; pay; lend; hand over; hand back; give back; slip him;"
    " slip her; slip them; toss; feed; entrust; share; serve; grant; surrender the; tip; gift; repay; reward",
    "use": "use; light; activate; turn on; turn off; apply; wear; put on; eat; drink; wield; equip; operate; employ;"
    " switch on; switch off; insert; show; burn; extinguish; put out; try; close; shut; lock; bar; ignite; kindle;"
    " sip; pour; fill; tie; douse; snuff out; blow out; load; polish; sharpen; plant; wave; snuff; don; put away;"
    " sheathe; holster; hold out",
    "open": "open; unlock; unbar; pry; pry open; prise open; force; force open; break down; break open; break into; kick"
    " in; kick down; kick open; pick the lock; unseal; unlatch; unbolt; undo; lift the lid; uncover; open up; pry"
    " at; jimmy; bust open; break the seal; break the seal on; break the seal of; break through; batter down; ram;"
    " push open; pull open; tear open; unwrap; pick lock",
    "sneak": "sneak; hide; creep; slip past; slip away; slip out; slip into; slip through; slink; prowl; tiptoe; skulk;"
    " lurk; conceal myself; conceal; stay out of sight; stalk; tail; shadow; keep to the shadows; move quietly;"
    " move silently; eavesdrop; spy; spy on; steal away; steal past; steal into; sneak out; go quietly; walk"
    " quietly; keep out of sight; stay hidden; crouch; duck behind; blend in; take cover behind; lie low; go"
    " unseen",
    "search": "search; search for; look for; hunt; hunt for; rummage; find; seek; explore; investigate; look under; look"
    " behind; look inside; look in; look into; look through; look beneath; look beyond; comb; ransack; frisk; go"
    " through; scour; poke around; feel around; locate; check for; dig; dig up; dig through; dig under; sift; look"
    " within; trace; track down; pat down; turn over; nose around; snoop; figure out; look among; scan for; search"
    " around; find out",
    "wait": "wait; stay; pause; linger; do nothing; pass the time; bide my time; z; idle; remain; stand still; keep"
    " watch; stand guard; stand by; kill time; wait around; stay put; stay here; loiter; wait and see; hold still;"
    " wait for; stay where i am; let time pass; pass time; sit and wait; hang around; say nothing; keep silent;"
    " stay silent; keep quiet; stay quiet; be quiet",
    "rest": "rest; sleep; nap; lie down; camp; make camp; set up camp; catch my breath; take a break; take a nap; take a"
    " rest; go to bed; go to sleep; relax; recover; get some sleep; get some rest; turn in; doze; snooze; have a"
    " rest; fall asleep; spend the night; recuperate; sleep until; bed down; settle in; have a nap; lay down; tend"
    " my wounds; unwind; slumber",
    "cast": "cast; conjure; summon; invoke; enchant; hex; channel; use magic; incant; bewitch; weave a spell; speak the"
    " spell; work a spell; work magic; curse; call upon; banish; dispel; call down; perform a ritual; perform the"
    " ritual; speak the words of power; do magic; teleport; levitate; transform; scry",
    "perform": "perform; sing; dance; play; recite; juggle; tell a story; tell a joke; tell a tale; entertain; drum;"
    " whistle; hum; busk; orate; give a speech; make a speech; tell stories; sing a song; play music; tell a"
    " riddle; strum; act out; put on a show; tell the story; declaim; improvise; tell jokes; do a trick; show off",
}

_CONDITIONAL: dict[tuple[Verb, Need], str] = {
    (
        "use",
        "thing",
    ): "pull; push; press; ring; turn; twist; pump; pull on; push on; strike up; rub; crank; shake; start; stop;"
    " wind; throw on; sit on; hang; fasten; set; try on; untie; clean; repair; hold up; raise; lower; attach;"
    " write; write on; write in; fold; dip; mix; play with; warm; cook",
    (
        "move",
        "exit",
    ): "climb; descend; ascend; swim to; jump to; sail; sail to; ride; row to; drive; climb up; climb down; crawl;"
    " crawl through; jump through; leap to; squeeze through; duck into; pass through; back to; try to reach;"
    " reach; continue; continue to; keep going; scramble; slip; dive into; ride to; make it to; board",
    ("threaten", "named"): "point; aim; level; hold my; wave my; brandish",
    (
        "attack",
        "named",
    ): "break; smash; destroy; cut; wreck; crush; shatter; slice; chop; tear; rip; throw; hurl; push; kick over;"
    " bang on; grab hold; ruin; pull down; knock over; deface; swing; burn down; set fire to; fire; run through",
    ("take", "thing"): "lift; hold; carry; draw; unhook; take down; take out; pull out; drag; extract",
}

_STATES: dict[str, str] = {
    "open": "open; unlock; unbar; pry; pry open; prise open; force open; break open; kick open; unseal; unlatch; unbolt;"
    " undo; lift the lid; uncover; open up; push open; pull open; tear open; unwrap; force; jimmy; bust open;"
    " break the seal; break the seal on; break the seal of",
    "broken open": "break down; kick in; kick down; batter down; break through; break into; ram",
    "burnt": "burn; set fire to; burn down",
    "closed": "close; shut",
    "locked": "lock; bar; fasten",
    "lit": "light; ignite; kindle; turn on; switch on",
    "dark": "extinguish; put out; douse; snuff out; blow out; snuff; turn off; switch off",
}

IDLE = frozenset(
    "nod smile sit stand laugh shrug bow wave sigh wink frown cry breathe kneel yawn blink grin stretch shiver weep"
    " blush salute gulp swallow chuckle giggle cough sneeze scratch gasp curtsy lean groan scowl dream"
    " think ponder wonder daydream reflect curse swear nothing surrender follow blush adjust straighten brush wipe tidy"
    " fidget pace nap snort hiccup pout squint hesitate gesture knock cheer applaud clap celebrate mourn rejoice shudder"
    " pray meditate".split()
)
"""Free deeds that nothing stands against: they simply happen."""

SELF_CHECKS = frozenset(
    ("i", "inventory", "inv", "check my pockets", "check my things", "check inventory", "check my inventory",
     "what am i carrying", "what do i have", "what do i carry", "check myself", "look at myself", "examine myself",
     "what am i holding", "what is in my pockets", "what's in my pockets", "my things", "who am i")
)  # fmt: skip
"""Ways to ask what one has on oneself."""

LAYING_DOWN = frozenset(("drop", "discard", "lay", "put", "leave", "place", "abandon"))

_IRREGULAR = {
    "went": "go", "gone": "go", "ran": "run", "left": "leave", "said": "say", "told": "tell", "spoke": "speak",
    "took": "take", "taken": "take", "got": "get", "gave": "give", "hit": "hit", "struck": "strike", "fought": "fight",
    "stole": "steal", "hid": "hide", "crept": "creep", "slept": "sleep", "sang": "sing", "found": "find",
    "sought": "seek", "fled": "flee", "came": "come", "made": "make", "kept": "keep", "shot": "shoot", "threw": "throw",
    "broke": "break", "bought": "buy", "lied": "lie", "lying": "lie", "begged": "beg", "swam": "swim", "ate": "eat",
    "drank": "drink", "wore": "wear", "lit": "light", "stood": "stand", "sat": "sit", "lay": "lie",
}  # fmt: skip

_PAST: dict[str, list[str]] = {}
for _past, _base in _IRREGULAR.items():
    _PAST.setdefault(_base, []).append(_past)


class Phrase(NamedTuple):
    words: tuple[str, ...]
    verb: Verb
    need: Need = ""
    becomes: str = ""


def _forms(verb: str) -> Iterator[str]:
    yield verb
    yield verb + "s"
    yield verb + "es"
    yield verb + "ing"
    yield verb + "ed"
    if verb.endswith("e"):
        yield verb[:-1] + "ing"
        yield verb + "d"
    if verb.endswith("y"):
        yield verb[:-1] + "ies"
        yield verb[:-1] + "ied"
    if len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in "aeiou":
        yield verb + verb[-1] + "ing"
        yield verb + verb[-1] + "ed"


def _split(text: str) -> Iterator[tuple[str, ...]]:
    for phrase in text.split(";"):
        yield tuple(phrase.split())


def _build() -> dict[str, tuple[Phrase, ...]]:
    states = {phrase: state for state, text in _STATES.items() for phrase in _split(text)}
    phrases = [Phrase(words, verb, "", states.get(words, "")) for verb, t in _PHRASES.items() for words in _split(t)]
    phrases += [
        Phrase(words, verb, need, states.get(words, ""))
        for (verb, need), text in _CONDITIONAL.items()
        for words in _split(text)
    ]
    by_first: dict[str, dict[tuple[tuple[str, ...], Need], Phrase]] = {}
    # Real words first: a made form (is + ing, hi + s) must never displace a phrase somebody listed.
    for made in (False, True):
        for phrase in phrases:
            first, *rest = phrase.words
            for form in (*list(_forms(first))[1:], *_PAST.get(first, ())) if made else (first,):
                words = (form, *rest)
                by_first.setdefault(form, {}).setdefault((words, phrase.need), phrase._replace(words=words))
    return {
        first: tuple(sorted(found.values(), key=lambda phrase: (-len(phrase.words), not phrase.need)))
        for first, found in by_first.items()
    }


BY_FIRST = _build()
"""Phrases by their first word; longest first, and those that need a certain object before those that do not."""
