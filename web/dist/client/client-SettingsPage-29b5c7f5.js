import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{H as i,J as a,N as o,O as s,et as c,k as l,q as u,t as d}from"./client-PageHead-a64df997.js";import{c as f,d as p,n as m,o as h,r as g,t as _,u as v}from"./client-aa3b4d8b.js";import{t as y}from"./client-PersonRow-92a098e5.js";var b=e();n();var x=(function(){var e=[{kind:`Literal`,name:`first`,value:100}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},r={args:null,kind:`FragmentSpread`,name:`PersonRow_user`},i={args:null,kind:`FragmentSpread`,name:`KeptAway_user`},a={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`unavailable`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},d={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`KeptAwayQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`mutedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,n,r,i],storageKey:null}],storageKey:`mutedUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`hiddenFromUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,a,r,i],storageKey:null}],storageKey:`hiddenFromUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`blockedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,o,r,i],storageKey:null}],storageKey:`blockedUsers(first:100)`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`KeptAwayQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`mutedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,n,s,c,l,u,d,f,a,o],storageKey:null}],storageKey:`mutedUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`hiddenFromUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,a,s,c,l,u,d,f,n,o],storageKey:null}],storageKey:`hiddenFromUsers(first:100)`},{alias:null,args:e,concreteType:`UserConnection`,kind:`LinkedField`,name:`blockedUsers`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,o,s,c,l,u,d,f,n,a],storageKey:null}],storageKey:`blockedUsers(first:100)`}],storageKey:null}]},params:{cacheID:`d87ce4b398414f6336271272255c03ae`,id:null,metadata:{},name:`KeptAwayQuery`,operationKind:`query`,text:`query KeptAwayQuery {
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
`}}})();x.hash=`6d5503d456e0131a183295f7068bac80`;var S={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`KeptAway_user`,selections:[{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],type:`User`,abstractKey:null};S.hash=`2024ee5a844666080202f0dbe0a0185a`;var C=t(),w=r(),T={mute:`Unmute`,hide:`Stop hiding`,block:`Unblock`},E={mute:`Muted`,hide:`Hidden from`,block:`Blocked`};function D({attempt:e}){let{viewer:t}=(0,C.useLazyLoadQuery)(x,{},{fetchKey:e,fetchPolicy:`store-and-network`});if(!t)return null;let n=[[`mute`,t.mutedUsers.nodes.filter(e=>e.viewerMutes)],[`hide`,t.hiddenFromUsers.nodes.filter(e=>e.viewerHidesFrom)],[`block`,t.blockedUsers.nodes.filter(e=>e.viewerBlocks)]];return(0,w.jsxs)(`section`,{className:`card`,"aria-labelledby":`away-title`,children:[(0,w.jsx)(`h2`,{id:`away-title`,children:`Kept away`}),n.every(([,e])=>!e.length)&&(0,w.jsx)(`p`,{className:`hint`,children:`You mute, hide from and block nobody.`}),n.map(([e,t])=>t.length>0&&(0,w.jsxs)(`div`,{children:[(0,w.jsx)(`h3`,{children:E[e]}),(0,w.jsx)(`ul`,{className:`people`,"aria-label":E[e],children:t.map(t=>(0,w.jsx)(y,{user:t,children:(0,w.jsx)(O,{relation:e,user:t})},t.id))})]},e))]})}function O({relation:e,user:t}){let n=(0,C.useFragment)(S,t),r=f(n).find(t=>t.relation===e);return(0,w.jsx)(`button`,{type:`button`,className:`button button-small`,"aria-label":r?.label,onClick:r?.run,children:T[e]})}var k=()=>document.getElementById(`client`)?.dataset.version??``;function A({attempt:e}){let{session:t}=l(),{account:n}=c();return(0,w.jsxs)(w.Fragment,{children:[(0,w.jsx)(d,{title:`Settings`}),(0,w.jsxs)(`div`,{className:`settings`,children:[t.user&&(0,w.jsx)(j,{handle:n?.handle??t.user.handle,id:t.user.id,admin:t.admin}),(0,w.jsx)(N,{}),t.user&&(0,w.jsx)(b.Suspense,{fallback:(0,w.jsx)(o,{label:`Loading who is kept away`,rows:2}),children:(0,w.jsx)(D,{attempt:e})}),(0,w.jsxs)(`section`,{className:`card`,"aria-labelledby":`keys-title`,children:[(0,w.jsx)(`h2`,{id:`keys-title`,children:`Keys`}),(0,w.jsx)(v,{})]}),(0,w.jsxs)(`section`,{className:`card`,"aria-labelledby":`server-title`,children:[(0,w.jsx)(`h2`,{id:`server-title`,children:`The server`}),(0,w.jsx)(h,{label:`Other pages of the server`}),(0,w.jsx)(`p`,{className:`hint`,children:(0,w.jsx)(`a`,{href:`/assets/LICENCES.txt`,children:`Licences of what this page is made of`})}),k()&&(0,w.jsxs)(`p`,{className:`hint`,children:[`Tideline `,k()]})]})]})]})}function j({handle:e,id:t,admin:n}){let{change:r}=l(),o=u(),c=async()=>{try{r(await s()),p()}catch(e){let{title:t,away:n}=i(e);o.show({tone:`bad`,title:`Still signed in`,text:t,away:n})}};return(0,w.jsxs)(`section`,{className:`card`,"aria-labelledby":`account-title`,children:[(0,w.jsx)(`h2`,{id:`account-title`,children:`Account`}),(0,w.jsxs)(`p`,{children:[`Signed in as `,(0,w.jsxs)(`strong`,{children:[`@`,e]}),` (user `,t,`)`,n&&`, an administrator`,`.`]}),(0,w.jsxs)(`button`,{type:`button`,className:`button`,onClick:()=>void c(),children:[(0,w.jsx)(a,{name:`out`}),` Sign out`]})]})}var M={system:`As the system`,light:`Light`,dark:`Dark`};function N(){let[e,t]=(0,b.useState)(g);return(0,w.jsxs)(`fieldset`,{className:`card look`,children:[(0,w.jsx)(`legend`,{children:`Look`}),_.map(n=>(0,w.jsxs)(`label`,{children:[(0,w.jsx)(`input`,{type:`radio`,name:`theme`,checked:e===n,onChange:()=>{t(n),m(n)}}),M[n]]},n))]})}export{A as default};