import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{k as i,v as a}from"./client-Link-7ee8c216.js";import{C as o,E as s,S as c,T as l,_ as u,a as d,f,i as p,n as m,p as h,r as g,s as _,t as v,v as y}from"./client-57fbb3e3.js";import{t as b}from"./client-PersonRow-bab033c6.js";import{t as x}from"./client-pages-eee6df26.js";var S=e();n();var C=(function(){var e=[{kind:`Literal`,name:`first`,value:100}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},r={args:null,kind:`FragmentSpread`,name:`PersonRow_user`},i={args:null,kind:`FragmentSpread`,name:`KeptAway_user`},a={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`unavailable`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},d={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`KeptAwayQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`mutedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,n,r,i],storageKey:null}],storageKey:`mutedUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`hiddenFromUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,a,r,i],storageKey:null}],storageKey:`hiddenFromUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`blockedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,o,r,i],storageKey:null}],storageKey:`blockedUsers(first:100)`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`KeptAwayQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`mutedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,n,s,c,l,u,d,f,a,o],storageKey:null}],storageKey:`mutedUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`hiddenFromUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,a,s,c,l,u,d,f,n,o],storageKey:null}],storageKey:`hiddenFromUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`blockedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,o,s,c,l,u,d,f,n,a],storageKey:null}],storageKey:`blockedUsers(first:100)`}],storageKey:null}]},params:{cacheID:`d87ce4b398414f6336271272255c03ae`,id:null,metadata:{},name:`KeptAwayQuery`,operationKind:`query`,text:`query KeptAwayQuery {
  viewer {
    mutedUsers(first: 100) {
      nodes {
        id
        viewerMutes
        ...PersonRow_user
        ...KeptAway_user
      }
    }
    hiddenFromUsers(first: 100) {
      nodes {
        id
        viewerHidesFrom
        ...PersonRow_user
        ...KeptAway_user
      }
    }
    blockedUsers(first: 100) {
      nodes {
        id
        viewerBlocks
        ...PersonRow_user
        ...KeptAway_user
      }
    }
  }
}

fragment FollowButton_user on User {
  handle
  viewerFollows
  ...useRelations_user
}

fragment KeptAway_user on User {
  ...useRelations_user
}

fragment PersonRow_user on User {
  databaseId
  unavailable
  handle
  name
  counters {
    followers
  }
  ...FollowButton_user
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),w={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`KeptAway_user`,selections:[{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],type:`User`,abstractKey:null},T=t(),E=r(),{settings:D}=x,O={mute:D.unmute,hide:D.stopHiding,block:D.unblock},k={mute:D.muted,hide:D.hiddenFrom,block:D.blocked};function A({attempt:e}){let{viewer:t}=(0,T.useLazyLoadQuery)(C,{},{fetchKey:e,fetchPolicy:`store-and-network`});if(!t)return null;let n=[[`mute`,t.mutedUsers.nodes.filter(e=>e.viewerMutes)],[`hide`,t.hiddenFromUsers.nodes.filter(e=>e.viewerHidesFrom)],[`block`,t.blockedUsers.nodes.filter(e=>e.viewerBlocks)]];return(0,E.jsxs)(`section`,{className:`card`,"aria-labelledby":`away-title`,children:[(0,E.jsx)(`h2`,{id:`away-title`,children:D.mutedAndBlocked}),n.every(([,e])=>!e.length)&&(0,E.jsx)(`p`,{className:`hint`,children:D.mutedAndBlockedNone}),n.map(([e,t])=>t.length>0&&(0,E.jsxs)(`div`,{children:[(0,E.jsx)(`h3`,{children:k[e]}),(0,E.jsx)(`ul`,{className:`people`,"aria-label":k[e],children:t.map(t=>(0,E.jsx)(b,{user:t,children:(0,E.jsx)(j,{relation:e,user:t})},t.id))})]},e))]})}function j({relation:e,user:t}){let n=(0,T.useFragment)(w,t),r=_(n).find(t=>t.relation===e);return(0,E.jsx)(`button`,{type:`button`,className:`button button-small`,"aria-label":r?.label,onClick:r?.run,children:O[e]})}var M=()=>document.getElementById(`client`)?.dataset.version??``;function N({attempt:e}){let{session:t}=y(),{account:n}=i();return(0,E.jsxs)(E.Fragment,{children:[(0,E.jsx)(d,{title:x.settings.title}),(0,E.jsxs)(`div`,{className:`settings`,children:[t.user&&(0,E.jsx)(P,{handle:n?.handle??t.user.handle,id:t.user.id,admin:t.admin}),(0,E.jsx)(F,{}),t.user&&(0,E.jsx)(S.Suspense,{fallback:(0,E.jsx)(c,{label:x.settings.loading,rows:2}),children:(0,E.jsx)(A,{attempt:e})}),(0,E.jsxs)(`section`,{className:`card`,"aria-labelledby":`keys-title`,children:[(0,E.jsx)(`h2`,{id:`keys-title`,children:a.shortcuts.title}),(0,E.jsx)(f,{})]}),(0,E.jsxs)(`section`,{className:`card`,"aria-labelledby":`server-title`,children:[(0,E.jsx)(`h2`,{id:`server-title`,children:x.settings.server}),(0,E.jsx)(p,{label:x.settings.serverPages}),(0,E.jsx)(`p`,{className:`hint`,children:(0,E.jsx)(`a`,{href:`/assets/LICENCES.txt`,children:x.settings.licenses})}),M()&&(0,E.jsx)(`p`,{className:`hint`,children:x.settings.version(M())})]})]})]})}function P({handle:e,id:t,admin:n}){let{change:r}=y(),i=l(),a=async()=>{try{r(await u()),h()}catch(e){let{title:t,away:n}=o(e);i.show({tone:`bad`,title:x.settings.signOutFailed,text:t,away:n})}};return(0,E.jsxs)(`section`,{className:`card`,"aria-labelledby":`account-title`,children:[(0,E.jsx)(`h2`,{id:`account-title`,children:x.settings.account}),(0,E.jsx)(`p`,{children:x.settings.signedInAs(e,t,n)}),(0,E.jsxs)(`button`,{type:`button`,className:`button`,onClick:()=>void a(),children:[(0,E.jsx)(s,{name:`out`}),` `,x.settings.signOut]})]})}function F(){let[e,t]=(0,S.useState)(g);return(0,E.jsxs)(`fieldset`,{className:`card look`,children:[(0,E.jsx)(`legend`,{children:x.settings.theme}),v.map(n=>(0,E.jsxs)(`label`,{children:[(0,E.jsx)(`input`,{type:`radio`,name:`theme`,checked:e===n,onChange:()=>{t(n),m(n)}}),x.settings.themes[n]]},n))]})}export{N as default};